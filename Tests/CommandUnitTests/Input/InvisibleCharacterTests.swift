import CommandSpec
import Testing

@testable import OAuth
@testable import Shell
@testable import Tokens

@Suite("Characters that nobody sees")
struct InvisibleCharacterTests {
    private static let signs = [
        ("\u{A0}", "U+00A0"), ("\u{AD}", "U+00AD"), ("\u{85}", "U+0085"), ("\u{200B}", "U+200B"),
        ("\u{200E}", "U+200E"), ("\u{2028}", "U+2028"), ("\u{202F}", "U+202F"), ("\u{2060}", "U+2060"),
        ("\u{2066}", "U+2066"), ("\u{FEFF}", "U+FEFF"),
    ]

    @Test("one in a value is refused by its number, wherever it is, and the value is not shown", arguments: signs)
    func refused(sign: String, name: String) {
        for value in ["hid\(sign)den", "hid\(sign)", "hid\(sign)\n"] {
            let failure = #expect(throws: Failure.self) { try OneLine.value(value, in: "OAP_CLIENT_ID") }
            #expect(failure?.message == "OAP_CLIENT_ID holds the invisible character \(name)")
            #expect(failure?.exit == .badInput)
        }
    }

    @Test("a byte order mark in a variable is one of them, and the hint names no file")
    func byteOrderMark() {
        let failure = #expect(throws: Failure.self) { try OneLine.value("\u{FEFF}c", in: "OAP_CLIENT_ID") }
        #expect(failure?.message == "OAP_CLIENT_ID holds the invisible character U+FEFF")
        #expect(failure?.hint == "give only the value, with at most one line end after it")
    }

    @Test("the byte order mark of a file is named as one, and a key may have it")
    func byteOrderMarkOfFile() throws {
        let bytes = Array("\u{FEFF}hidden".utf8)
        let failure = #expect(throws: Failure.self) { try SecretText.value(of: bytes, in: "f", as: "password") }
        #expect(failure?.message == "f begins with a byte order mark")
        #expect(failure?.hint?.hasPrefix("without it: sed ") == true)
        #expect(try SecretText.value(of: bytes, in: "f", as: "client_key") == "\u{FEFF}hidden")
    }

    @Test("one in a client_id is refused in a document too", arguments: signs)
    func clientID(sign: String, name: String) {
        let document = Document(["client_id": .string("c\(sign)")])
        let error = #expect(throws: OAuthError.self) { try document.required("client_id") }
        #expect(error?.message == "client_id holds the invisible character \(name)")
    }

    @Test(
        "what shows, joins letters or is a space of a script passes",
        arguments: ["é", "e\u{301}", "نمی\u{200C}خواهم", "👩\u{200D}💻", "日本\u{3000}語", "a b"])
    func passes(value: String) throws { #expect(try OneLine.value(value + "\n", in: "X") == value) }
}
