import Testing
import Wire

@testable import OAuth

@Suite("The content of answers")
struct AnswerContentTests {
    @Test("the secrets that an answer issues are found at whatever depth, in objects and in arrays")
    func issuedSecrets() throws {
        let text = #"""
            {"access_token":"1","tokens":[{"access_token":"2"},[{"id_token":"3"}],"no"],"x":5,"error":"no",
             "data":{"refresh_token":"4","more":{"client_secret":"5","device_code":null}},
             "refresh_token":{"registration_access_token":"6","value":"no"}}
            """#
        #expect(try JSON(parsing: text).issuedSecrets == ["1", "2", "3", "4", "5", "6"])
        #expect(try JSON(parsing: #"[{"device_code":"7"}]"#).issuedSecrets == ["7"])
    }

    @Test(
        "access_token_path: a number that is no index of the array leads nowhere",
        arguments: ["data.1.x", "data.-1.x", "data.+.x", "data.9223372036854775808.x"])
    func noIndex(path: String) throws {
        let document = Document(["access_token_path": .string(path)])
        let place = try #require(try AnswerPath("access_token_path", in: document))
        #expect(place.holder(in: ["data": .array([.object(["x": .string("at")])])]) == nil)
    }
}
