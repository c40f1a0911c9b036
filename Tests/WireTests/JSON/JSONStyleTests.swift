import Testing
import Wire

/// The expected texts are what `jq` of Debian 12 prints. `JQTests` compares many more with the program itself.
@Suite struct JSONStyleTests {
    private func text(_ source: String, pretty: Bool = false, colored: Bool = false) throws -> String {
        var output: [UInt8] = []
        try JSON(parsing: source).write(to: &output, style: JSONStyle(isPretty: pretty, isColored: colored))
        return String(decoding: output, as: UTF8.self)
    }

    @Test(
        "compact text without colour is the plain text",
        arguments: [#"{"a":[1.10,{"b":null}],"c":"\u007f"}"#, "[]", "{}", "[[],{}]", "9007199254740993"])
    func compact(source: String) throws {
        #expect(try text(source) == source)
    }

    @Test("pretty text has a line for each member and element, two spaces a level, and numbers to the letter")
    func pretty() throws {
        #expect(
            try text(#"{"a":[1.10,9007199254740993],"b":{},"c":[],"d":{"e":[[true]]}}"#, pretty: true) == """
                {
                  "a": [
                    1.10,
                    9007199254740993
                  ],
                  "b": {},
                  "c": [],
                  "d": {
                    "e": [
                      [
                        true
                      ]
                    ]
                  }
                }
                """)
    }

    @Test("each kind has its colour in jq's palette")
    func colors() throws {
        let expected =
            "<1;39>[<1;30>null<0><1;39>,<0;39>false<0><1;39>,<0;39>1<0><1;39>,<0;32>\"s\"<0><1;39>,<1;39>[]<0><1;39>,<1;39>{}<0><1;39>,"
            + "<1;39>{<0><34;1>\"a\"<0><1;39>:<0><0;39>true<0><1;39>,<0><34;1>\"b\"<0><1;39>:<0><1;30>null<0><1;39><1;39>}<0><1;39><1;39>]<0>"
        let colored = try text(#"[null,false,1,"s",[],{},{"a":true,"b":null}]"#, colored: true)
        #expect(colored.replacing(/\u{1B}\[([0-9;]+)m/) { "<\($0.output.1)>" } == expected)
    }

    @Test("colour leaves the pretty layout as it is")
    func prettyAndColored() throws {
        let source = #"{"a":[1,{"b":[]}],"c":"x"}"#
        let colored = try text(source, pretty: true, colored: true)
        #expect(try colored.replacing(/\u{1B}\[[0-9;]+m/, with: "") == text(source, pretty: true))
        #expect(
            colored.hasPrefix(
                "\u{1B}[1;39m{\n  \u{1B}[0m\u{1B}[34;1m\"a\"\u{1B}[0m\u{1B}[1;39m: \u{1B}[0m\u{1B}[1;39m[\n    "))
    }

    @Test("the text of numbers can be replaced, everywhere")
    func numberText() throws {
        var output = Array("before ".utf8)
        try JSON(parsing: #"[1,{"a":2.0},"3"]"#).write(to: &output, style: JSONStyle(), numberText: { "<\($0)>" })
        #expect(String(decoding: output, as: UTF8.self) == #"before [<1>,{"a":<2.0>},"3"]"#)
    }
}
