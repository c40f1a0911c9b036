import TestSupport
import Testing
import Wire

@Suite("Link fields")
struct LinkHeaderTests {
    private static let base = "https://api.example.com/items?page=1"

    private func header(_ values: String...) throws -> LinkHeader {
        LinkHeader(values.map { HTTPField("link", $0) }, base: try #require(WebURL(Self.base)))
    }

    /// Each link as `relation target`, with ` from ANCHOR` where there is one.
    private func shown(_ header: LinkHeader) -> [String] {
        header.links.map { link in
            "\(link.relation) \(link.target?.text ?? "none")" + (link.anchor.map { " from \($0)" } ?? "")
        }
    }

    @Test("CP-01 a Link field is read as the case says", arguments: try VectorGroup("link_header").cases)
    func vector(row: VectorCase) throws {
        let base = try #require(row["base"]?.string.flatMap { WebURL($0) })
        let value = try #require(row["header"]?.string)
        let expected = try #require(row["links"]?.array).compactMap(\.object).map { link in
            "\(link["rel"]?.string ?? "") \(link["target"]?.string ?? "")"
                + (link["anchor"]?.string.map { " from \($0)" } ?? "")
        }
        let header = LinkHeader([HTTPField("Link", value)], base: base)
        #expect(shown(header) == expected)
        #expect(!header.isMalformed)
    }

    @Test("the links of several fields are read in order, a relation in each")
    func several() throws {
        let header = try header("</1>; rel=first, </2>;rel=\"next\tLAST\"", "</3>; rel=prev")
        #expect(
            shown(header) == [
                "first https://api.example.com/1", "next https://api.example.com/2", "last https://api.example.com/2",
                "prev https://api.example.com/3",
            ])
    }

    @Test(
        "spaces, empty elements, escapes, flags and targets that no URL may contain are read",
        arguments: [
            (" , </2>\t;\trel = \"next\" ,, ", "next https://api.example.com/2"),
            (#"</2>; title="a \"b\", <c>; rel=x\\"; rel=next"#, "next https://api.example.com/2"),
            ("</2>; crossorigin; rel=next;", "next https://api.example.com/2"),
            ("</2>; rel*=UTF-8''prev; rel=next", "next https://api.example.com/2"),
            ("</a b;c,d\u{E9}\">; rel=next", "next https://api.example.com/a%20b;c,d%C3%A9%22"),
            ("<>; rel=next", "next https://api.example.com/items?page=1"),
            ("</2>; rel=next; anchor=\"\"", "next https://api.example.com/2 from https://api.example.com/items?page=1"),
            ("</2>; rel=next; anchor=\"http://[\"", "next https://api.example.com/2 from http://["),
            ("<http://[>; rel=next", "next none"), ("</2>; rel='next'", "next https://api.example.com/2"),
            ("</2>; title='a, b; c'; REL='Next'", "next https://api.example.com/2"),
            ("</2>; title='tis; rel=next", "next https://api.example.com/2"),
            ("</2>;rel=next ;title='", "next https://api.example.com/2"),
        ])
    func lenient(value: String, link: String) throws {
        let header = try header(value)
        #expect(shown(header) == [link])
        #expect(!header.isMalformed)
    }

    @Test(
        "a field that is malformed keeps the links before the damage, and says so",
        arguments: [
            "</1>; rel=prev, next", "</1>; rel=prev, </2", "</1>; rel=prev, </2>; rel=\"next",
            "</1>; rel=prev, </2> rel=next", "</1>; rel=prev, </2>; rel=\"next\" x", "</1>; rel=prev, </2>; rel=\"a\\",
        ])
    func malformed(value: String) throws {
        let header = try header(value, "</3>; rel=last")
        #expect(shown(header) == ["prev https://api.example.com/1", "last https://api.example.com/3"])
        #expect(header.isMalformed)
    }

    @Test(
        "a relation between quotation marks that are none of HTTP is not read, and the field says so",
        arguments: ["“next”", "‘next’", "`next`", "&quot;next&quot;", "«next»", "\"“next”\"", "'next"])
    func otherMarks(relation: String) throws {
        let header = try header("</2>; rel=\(relation)")
        #expect(!header.links.contains { $0.relation == "next" })
        #expect(header.isMalformed)
    }
}
