import Testing

@testable import Wire

@Suite("How long a response may be used again")
struct CacheControlTests {
    @Test(
        "a response is fresh for as long as its fields say",
        arguments: [
            ([], nil), (["public"], nil), (["max-age=60"], 60), (["Max-Age = \"60\" , private"], 60),
            (["max-age=60", "max-age=30"], 30), (["max-age=30", "max-age=60"], 30),
            (["no-store"], 0), (["max-age=60, No-Cache"], 0), (["max-age=x"], 0),
            (["max-age"], 0), (["max-age=-1"], 0), (["max-age=99999999999999999999"], 0), (["s-maxage=5"], nil),
        ] as [([String], Int?)])
    func lifetime(values: [String], expected: Int?) {
        #expect(CacheControl.lifetime(of: values.map { HTTPField("cache-control", $0) }) == expected)
    }

    @Test("the age of a response counts", arguments: [("20", 40), ("100", 0), ("x", 60), ("-5", 60)])
    func age(age: String, expected: Int) {
        let fields = [HTTPField("Cache-Control", "max-age=60"), HTTPField("Age", age)]
        #expect(CacheControl.lifetime(of: fields) == expected)
    }
}
