import Testing
import Wire

@Suite("JSON values")
struct JSONTests {
    @Test(
        "JS-05 a number is an integer up to 2^53, its fraction cut off",
        arguments: [
            ("0", 0), ("-0", 0), ("3600", 3600), ("-1", -1), ("3599.9", 3599), ("-1.9", -1), ("1e3", 1000),
            ("0.5e1", 5),
            ("9007199254740992", 9_007_199_254_740_992), ("-9007199254740992", -9_007_199_254_740_992),
            ("9007199254740993", nil), ("-9007199254740993", nil), ("1e400", nil),
            ("-1e400", nil), ("123456789012345678901234567890", nil), ("1e-400", 0),
        ] as [(String, Int?)])
    func integers(text: String, expected: Int?) {
        #expect(JSON.number(text).integer == expected)
    }

    @Test("only a number is an integer", arguments: [JSON.string("1"), .bool(true), .null, .array([.integer(1)])])
    func noInteger(value: JSON) { #expect(value.integer == nil) }

    @Test("each kind is read as itself and as nothing else")
    func kinds() throws {
        let values: [(String, JSON)] = [
            ("null", .null), ("boolean", .bool(false)), ("number", .integer(1)), ("string", .string("s")),
            ("array", .array([])), ("object", .object([:])),
        ]
        for (kind, value) in values {
            #expect(value.kind == kind)
            #expect(value.isNull == (kind == "null"))
            #expect((value.bool != nil) == (kind == "boolean"))
            #expect((value.integer != nil) == (kind == "number"))
            #expect((value.string != nil) == (kind == "string"))
            #expect((value.array != nil) == (kind == "array"))
            #expect((value.object != nil) == (kind == "object"))
            #expect(values.filter { $0.1 == value }.map(\.0) == [kind])
        }
    }

    @Test("strings are those of an array that holds nothing else")
    func strings() {
        #expect(JSON.array([.string("a"), .string("")]).strings == ["a", ""])
        #expect(JSON.array([]).strings == [])
        #expect(JSON.array([.string("a"), .null]).strings == nil)
        #expect(JSON.string("a").strings == nil)
    }

    @Test("equality goes by code points, by the text of numbers, and by members in any order")
    func equality() throws {
        #expect(JSON.string("\u{E9}") != .string("e\u{301}"))
        #expect(JSON.number("1.0") != .number("1"))
        #expect(try JSON(parsing: #"{"a":1,"b":[2]}"#) == JSON(parsing: #"{"b":[2],"a":1}"#))
        #expect(try JSON(parsing: #"{"a":1}"#) != JSON(parsing: #"{"a":1,"b":1}"#))
        #expect(try JSON(parsing: #"{"a":1,"b":1}"#) != JSON(parsing: #"{"a":1}"#))
        #expect(try JSON(parsing: #"{"a":1}"#) != JSON(parsing: #"{"a":2}"#))
        #expect(try JSON(parsing: "[1,2]") != JSON(parsing: "[2,1]"))
    }

    @Test("setting a member replaces it in its place, appends it, or takes it out")
    func members() {
        var object: JSONObject = ["a": .integer(1), "b": .integer(2), "c": .integer(3)]
        object["b"] = .null
        object["d"] = .bool(true)
        object["a"] = nil
        object["missing"] = nil
        #expect(JSON.object(object).text == #"{"b":null,"c":3,"d":true}"#)
        object.remove(["d", "b", "x"])
        #expect(object.members.map(\.name) == ["c"])
        #expect(object.count == 1 && !object.isEmpty)
        object.remove(["c"])
        #expect(object.isEmpty)
    }

    @Test("a name that stands twice in a literal keeps its place and its last value")
    func literal() {
        #expect(JSON.object(["a": .integer(1), "b": .integer(2), "a": .integer(3)]).text == #"{"a":3,"b":2}"#)
    }

    @Test("a member is found by its exact name", arguments: ["\u{212A}", "k", "K ", ""])
    func exactNames(name: String) {
        let object: JSONObject = ["K": .integer(1)]
        #expect(object["K"] != nil)
        #expect(object[name] == nil)
    }

    @Test(
        "an object of any size is written to in the same way, and a copy stays what it was",
        arguments: [5, 31, 32, 100])
    func sizes(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["\(number)"] = .integer(number) }
        let copy = object
        object["0"] = .null
        object["2"] = nil
        object["\(count)"] = .integer(count)
        object["e\u{301}"] = .bool(true)
        object["\u{E9}"] = .bool(false)
        #expect(object.members.map(\.name) == (0...count).filter { $0 != 2 }.map(String.init) + ["e\u{301}", "\u{E9}"])
        #expect(object["0"] == .null && object["2"] == nil && object["3"] == .integer(3))
        #expect(object["e\u{301}"] == .bool(true) && object["\u{E9}"] == .bool(false))
        #expect(copy.count == count && copy["0"] == .integer(0) && copy["2"] == .integer(2))
    }

    @Test("100,000 members are written, replaced and compared in time", .timeLimit(.minutes(1)))
    func manyMembers() {
        let names = (0..<100_000).map { "m\($0)" }
        var written = JSONObject()
        for name in names where written[name] == nil { written[name] = .null }
        var replaced = JSONObject(unique: names.reversed().map { .init(name: $0, value: .bool(true)) })
        for name in names { replaced[name] = .null }
        #expect(written == replaced)
    }
}
