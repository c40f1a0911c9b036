import Foundation
import TestSupport
import Testing
import Wire

/// A selection of what every parser of RFC 8259 has to get right, and the whole public suite of parsing cases
/// (JSONTestSuite) where the folder `../shared` beside the project has it.
@Suite("JSON, accepted and refused")
struct JSONTestSuiteTests {
    @Test(
        "what RFC 8259 allows is accepted, alone and as a member's value",
        arguments: [
            "{}", "[]", "null", "true", "false", "0", "-0", "\"\"", " [ ] ", "\t\n\r{}\r\n", "[[[]]]", "[1,2]",
            #"{"":0}"#, #"{"a":{},"b":[]}"#, "1e1", "1E+1", "1e-1", "0e1", "0.1", "-1.5", "-0.0", "20e1",
            #"["\u0012"]"#,
            #""\uD801\udc37""#, #""\u0000""#, #""\uFFFF""#, #""\"""#, #""\\a""#, #""a/*b*/c""#, "\"\u{2028}\u{2029}\"",
            #"{"a\u0000b":1}"#, "[null,true,1,\"\",{},[]]", "\"\u{7F}\"", #""\u200B""#,
        ])
    func accepted(text: String) throws {
        _ = try JSON(parsing: text)
        _ = try JSON(parsing: "{\"a\":\(text)}")
    }

    @Test(
        "what RFC 8259 does not allow is refused, alone and as a member's value",
        arguments: [
            "", " ", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[", "]", "[1", "[1}", "{\"a\":1", "{\"a\"}", "{\"a\",1}",
            "{a:1}",
            "{'a':1}", "{\"a\":1,}", "{\"a\":}", "{:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1}}", "{\"a\":1 \"b\":2}", "01",
            "-01",
            "1.", ".1", "-.1", "-", "+1", "1e", "1e+", "1.e1", "0x1", "1a", "- 1", "1 000", "Infinity", "-Infinity",
            "NaN",
            "nan", "True", "nul", "nulll", "truefalse", "'a'", "\"a", "a\"", #""\x""#, #""\a""#, #""\u00""#,
            #""\u00G0""#,
            #""\u-001""#, #""\U0041""#, "\"\\", "\"\n\"", "\"\t\"", "\"\u{0}\"", "1\u{0}", "\u{A0}1", "\u{2060}[]",
            "\u{C}1",
            "//\n1", "/**/1", "1//", "#1", "{} {}", "1 2", "\"a\"\"b\"", "<a>", "\u{FF11}", "[\u{FEFF}1]",
        ])
    func refused(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: "{\"a\":\(text)}") }
    }

    /// What RFC 8259 leaves open, by the suite's names: numbers of any size are text, a byte order mark is passed over.
    static let choices: [(accepted: Bool, names: [String])] = [
        (
            true,
            [
                "number_double_huge_neg_exp", "number_huge_exp", "number_neg_int_huge_exp",
                "number_pos_double_huge_exp", "number_real_neg_overflow", "number_real_pos_overflow",
                "number_real_underflow", "number_too_big_neg_int", "number_too_big_pos_int",
                "number_very_big_negative_int", "structure_500_nested_arrays", "structure_UTF-8_BOM_empty_object",
            ]
        ),
        // Lone surrogates stand for no character.
        (
            false,
            [
                "object_key_lone_2nd_surrogate", "string_1st_surrogate_but_2nd_missing",
                "string_1st_valid_surrogate_2nd_invalid", "string_incomplete_surrogate_and_escape_valid",
                "string_incomplete_surrogate_pair", "string_incomplete_surrogates_escape_valid",
                "string_invalid_lonely_surrogate", "string_invalid_surrogate", "string_inverted_surrogates_U+1D11E",
                "string_lone_second_surrogate",
            ]
        ),
        // Bytes that are not UTF-8.
        (
            false,
            [
                "string_UTF-8_invalid_sequence", "string_UTF8_surrogate_U+D800", "string_invalid_utf-8",
                "string_iso_latin_1", "string_lone_utf8_continuation_byte", "string_not_in_unicode_range",
                "string_overlong_sequence_2_bytes", "string_overlong_sequence_6_bytes",
                "string_overlong_sequence_6_bytes_null", "string_truncated-utf-8", "string_UTF-16LE_with_BOM",
                "string_utf16BE_no_BOM", "string_utf16LE_no_BOM",
            ]
        ),
    ]

    @Test(
        "the texts of JSONTestSuite that must be accepted are, except those with a member twice",
        .enabled(if: SuiteFile.exist, SuiteFile.absence))
    func suiteAccepted() throws {
        let files = try SuiteFile.all(beginning: "y_")
        #expect(!files.isEmpty)
        for file in files {
            let isRefused = file.name.hasPrefix("object_duplicated_key")
            #expect(file.isAccepted != isRefused, "\(file.name)")
            #expect(file.asMember.isAccepted != isRefused, "\(file.name)")
        }
        #expect(files.count { $0.name.hasPrefix("object_duplicated_key") } == 2)
    }

    @Test(
        "the texts of JSONTestSuite that must be refused are, alone and as a member's value",
        .enabled(if: SuiteFile.exist, SuiteFile.absence))
    func suiteRefused() throws {
        let files = try SuiteFile.all(beginning: "n_")
        #expect(!files.isEmpty)
        for file in files {
            #expect(!file.isAccepted, "\(file.name)")
            #expect(!file.asMember.isAccepted, "\(file.name)")
        }
    }

    @Test(
        "the texts of JSONTestSuite that a parser may decide on are decided as written down",
        .enabled(if: SuiteFile.exist, SuiteFile.absence))
    func suiteChoices() throws {
        var files = try SuiteFile.all(beginning: "i_")
        for (accepted, names) in Self.choices {
            for name in names {
                let index = try #require(files.firstIndex { $0.name == name }, "\(name)")
                #expect(files.remove(at: index).isAccepted == accepted, "\(name)")
            }
        }
        #expect(files.map(\.name) == [])
    }
}

/// One file of the public suite.
struct SuiteFile {
    /// Its name without the letter in front and without `.json`.
    let name: String
    let text: [UInt8]

    private static let folder = "\(Fixture.project)/../shared/spec/JSONTestSuite/test_parsing"

    /// Whether the suite is there.
    static var exist: Bool { FileManager.default.fileExists(atPath: folder) }

    /// Why its tests are skipped otherwise.
    static let absence: Comment = "JSONTestSuite is not beside the project"

    static func all(beginning prefix: String) throws -> [SuiteFile] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }.sorted().map {
            name in
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            return SuiteFile(name: String(name.dropFirst(2).dropLast(5)), text: Array(data))
        }
    }

    var isAccepted: Bool { (try? JSON(parsing: text)) != nil }

    /// The same text as the value of a member.
    var asMember: SuiteFile { SuiteFile(name: name, text: Array(#"{"a":"#.utf8) + text + Array("}".utf8)) }
}
