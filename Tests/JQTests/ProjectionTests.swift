import Testing

@testable import JQ

@Suite("What a filter can reach of a document")
struct ProjectionTests {
    @Test(
        "a filter that begins with paths, or objects and arrays of them, reaches a part",
        arguments: [
            "{a}", "[.[] | .a] | add", "[.[]|.a]|.[0], .", ".a | .b", ".a, .b", "{a, b: .c.d} | tojson", "[.a,[.b]]",
            ".[].a?", "[.\"a b\" | .[\"c\"]]", " [ .a\n| {b} ] ", ".a[].b | def f: .; f",
        ])
    func part(filter: String) { #expect(Projection(of: filter) != nil) }

    @Test(
        "any other filter may need everything",
        arguments: [
            ".", "[.]", "{a: .}", "map(.a)", "[.a] as $x | .", "[.a] + [.]", "[.a][0]",
            "[.a]|= 1", ".a |= 1", ".a as $x | .", ".a // .", "{a: 1}", "{a: .b | .c}", "{(.a): .b}", "{$x}",
            ".a[0], .",
            "[.a | .b, .c | .d]", "def f: .; [.a] | f", "[.a", "{a", "", ".a # | .b", "[.a], .", "[.[] | .a], .b",
            ".a?//.b", "..", ".a and .b", "[[.a] | .b]", "\"\\(.a)\"",
        ])
    func everything(filter: String) { #expect(Projection(of: filter) == nil) }
}
