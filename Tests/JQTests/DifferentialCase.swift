import Testing

/// A filter, its input and options, to be given to our filter and to the jq program.
struct DifferentialCase: Sendable, CustomTestStringConvertible {
    let filter: String
    let input: String
    let options: [String]
    let arguments: [(name: String, value: String)]

    init(_ filter: String, _ input: String = "null", _ options: String = "-c", arguments: [(String, String)] = []) {
        self.filter = filter
        self.input = input
        self.options = options.split(separator: " ").map(String.init)
        self.arguments = arguments.map { (name: $0.0, value: $0.1) }
    }

    var testDescription: String {
        let bindings = arguments.map { " --argjson \($0.name) \($0.value)" }.joined()
        return "jq \(options.joined(separator: " "))\(bindings) '\(filter)' <<< '\(input)'"
    }

    /// Whether it has colours, or an input with numbers that jq 1.7 and later write as they are spelled. We give libjq
    /// doubles.
    var isOf1_6: Bool {
        options.contains("-C")
            || ([input] + arguments.map(\.value)).contains { $0.contains(/[0-9](\.[0-9]|[eE][-+]?[0-9])|[0-9]{16}|-0/) }
    }

    static let all =
        paths + pathFailures + layouts + numbers + builtins + control + failures + compileFailures + variables

    private static let document = #"""
        {"a":{"b":[1,{"c":"x"},null]},"e1":1,"and":2,"a b":3,"é":4,"__loc__":5,"":6,"items":[{"id":1},{"id":null},{}]}
        """#

    /// Every form of plain path, and its neighbours that only libjq understands.
    private static let paths = [
        ".", ".a", ".a.b", ".a.b[0]", ".a.b[1].c", ".a.b[-1]", ".a.b[-3]", ".a.b[-4]", ".a.b[3]", ".a.b[-0]",
        ".a.b[]", ".a[]", ".[]", ".[]?", ".a?", ".a.x", ".a.x.y.z", ".a.x[0][\"y\"]", ".x[]?", ".items[].id",
        ".items[]?.id", ".items[]?.id?", ".items[].id[]?", "..", ".a|.b", ". ", " .a", ".a .b", ".a # c",
        ".\"a b\"", ".[\"a b\"]", ".[\"é\"]", ".\"é\"", ".[\"\"]", ".\"\"", ".[\"a\"].b[1][\"c\"]", ".a[\"b\"][0]",
        ".a.\"b\"[0]", ".\"a\".b", ".\"a\"?.\"b\"?", ".[\"a\\u0062\"]", ".[\"\\(\"a\")\"]", ".and", ".__loc__", ".e1",
        ".E2",
        ".e1x", ".a.e1", ".e", ".e_1", ".a.b[0,1]", ".a.b[0:2]", ".a.b[:1]", ".a.b[1.7]", ".a.b[1e0]", ".a.b[01]",
        ".a.b[9999999999]", ".a.b[-9999999999]", ".a.b[ 0 ]", ".a.[\"b\"]", ".a.b.[0]", ".a??", ".a?.b?", ".é", ".a-b",
        ".[\"a\",\"e1\"]", ".[]?.id?", ".a[]?[0]?", ".a.b[][0]?", ".a.b[]?.c?", ".items[0]", ".items[-1].id", ".x[-1]",
        ".a\"b\"", ".\"a\"b", "..a", ".a..b", ".a.", ".[", ".[]]", ".[\"a\"", ".\"a", ".1", ".0.5", ".a.1", "", " ",
        "#",
        ".a.b[1]?.c", ".A", ".a_1", "._", ".[\"a\"]?", ".[0]?", "{and:1}", ".a[\"b\"]?[1]?[\"c\"]?", ".\t", ".\n",
    ].map { DifferentialCase($0, document) }

    private static let pathFailures =
        ["null", "true", "1", "\"text\"", "[1,2]", "{\"a\":1}"].flatMap { input in
            [
                ".a", ".[0]", ".[]", ".a.b", ".[].a", ".[][0]", ".[\"a name of thirty bytes at least\"]", ".a[]",
                ".[]?.a",
            ]
            .map { DifferentialCase($0, input) }
        }
        + [
            #""ééééééééééééé""#, #""aééééééééééééé""#, #""aaaaaaaa€€€€€€""#, #""aaaaaaaaa€€€€€€""#, #""aaaaaaaaaa😀😀""#,
            #""aaaaaaaaa😀😀""#, #""aaaaaaaa😀😀""#, #""\u0000\u0001""#, #""a\u0000b""#, "12345678901234567890", "-0.00001",
            "\"abcdefghijkl\"", "\"abcdefghijklm\"", "\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\"", "1.7976931348623157e308",
        ].map { DifferentialCase(".[]", $0) }
        + [
            DifferentialCase(".[].a", #"[{"a":1},{"b":2},3,{"a":4}]"#),
            DifferentialCase(".é[]", "1"), DifferentialCase(".[\"éééééééééééééé\"]", "1"),
            DifferentialCase(".[\"ééééééééééééééé\"]", "1"), DifferentialCase(".[\"a\nb\"]", "1"),
        ]

    private static let layouts = ["-c", "", "-C", "-C -c", "-r", "-r -c", "-r -C"].flatMap { options in
        [
            ("nested", #"{"a":[],"b":{},"c":[[]],"d":[{}],"e":{"f":[1,[2,"x"],{"g":null}]},"h":[true,false,null]}"#),
            ("text", #""a\"\\/\b\f\n\r\t\u0000\u001f\u007f\u0080é€😀\u2028""#), ("number", "-1.50"), ("null", "null"),
            ("false", "false"), ("empty array", "[]"), ("empty object", "{}"),
            ("texts", #"["a",["b\u0000"],{"é":"😀"}]"#),
            ("name", #"{"":1,"a\nb":2,"😀":3,"\u0000":4}"#),
        ].flatMap { _, input in [DifferentialCase(".", input, options), DifferentialCase(".|.", input, options)] }
    }

    private static let numbers = [".", ".|.", ".[]", "map(tojson)", "map(.+0)", "map(tostring)"].map {
        DifferentialCase(
            $0,
            """
            [0,-0,0.0,-0.0,1,1.0,1.10,1e1,100e-2,1E2,1e15,1e16,1e17,1e18,123456789012345678,9007199254740993,-9007199254740993,
            12345678901234567890,1e-1,1e-4,0.0001,0.00012,0.00001,1e-5,1.5e-5,1e-7,5e-324,2.2250738585072014e-308,1e-400,
            1e308,1.7976931348623157e308,1e309,1e1000,-1e1000,0.1,0.2,0.30000000000000004,3.141592653589793,100000000000000000000,
            1234567890123456789012,4.35,0.000035,99999999999999999,1e22,1e23,1.2e17,1.2e16,12e15,4503599627370497.5,2e0,1e-10]
            """)
    }
}
