import TestSupport
import Testing
import Wire

@testable import Calls
@testable import OAuth

@Suite("The walk over pages")
struct PageWalkTests {
    private static let first = "https://api.example.com/items?page=1"

    private func walk(
        _ url: String = first, body: String? = nil, allowed: TokenOrigins? = nil, maximum: Int? = nil
    ) -> PageWalk {
        let message = HTTPRequest(
            method: body == nil ? "GET" : "POST", url: url, headers: [HTTPField("X-A", "b")],
            body: body.map { Array($0.utf8) })
        return PageWalk(from: APIRequest(message), allowed: allowed, maximum: maximum)
    }

    private func head(_ link: String? = nil, url: String = first) -> HTTPResponseHead {
        HTTPResponseHead(status: 200, headers: link.map { [HTTPField("Link", $0)] } ?? [], url: url)
    }

    /// The kind of error of a step; nil if there is none.
    private func kind(_ step: () throws -> APIRequest?) -> ErrorKind? {
        do {
            _ = try step()
            return nil
        } catch {
            return (error as? PageError)?.kind
        }
    }

    private func cursor(_ text: String) throws -> PageCursor? { try PageCursor(JSON(parsing: text)) }

    @Test("CP-02 CP-03 CP-04 the next page is as the case says", arguments: try VectorGroup("pagination").cases)
    func vector(row: VectorCase) throws {
        var walk = walk()
        let link = try #require(row["header"]?.string)
        let words = try #require(row["action"]?.string).split(separator: " ").map(String.init)
        switch words[0] {
        case "follow":
            let request = try #require(try walk.next(after: head(link)))
            if let url = row["url"]?.string { #expect(request.message.url == url) }
            #expect(request.message.method == "GET" && request.message.headers == [HTTPField("X-A", "b")])
        case "ignore": #expect(try walk.next(after: head(link)) == nil)
        default: #expect(kind { try walk.next(after: head(link)) }?.rawValue == words[1])
        }
    }

    @Test("a page at an allowed origin is requested, one that is file: or malformed is refused")
    func targets() throws {
        var origins = try TokenOrigins(of: Document([:]))
        try origins.add("https://b.example")
        var allowed = walk(allowed: origins)
        let page = try allowed.next(after: head("<https://b.example/2>; rel=next"))
        #expect(page?.message.url == "https://b.example/2")
        var plain = walk("http://127.0.0.1:1/1")
        #expect(
            try plain.next(after: head("</2>; rel=next", url: "http://127.0.0.1:1/1"))?.message.url
                == "http://127.0.0.1:1/2")
        // A page of an API on https is never at plain http, not even where an option allows that origin.
        var local = try TokenOrigins(of: Document([:]))
        try local.add("http://127.0.0.1:1")
        #expect(
            kind { try walk(allowed: local).with { try $0.next(after: head("<http://127.0.0.1:1/2>; rel=next")) } }
                == .insecureTransport)
        for link in [
            "<file:///etc/passwd>; rel=next", "<http://[>; rel=next", "<https://me:pw@api.example.com/2>; rel=next",
            "<//me@api.example.com/2>; rel=next",
        ] {
            #expect(kind { try walk().with { try $0.next(after: head(link)) } } == .linkCrossOrigin)
        }
        #expect(kind { try walk().with { try $0.next(after: head("oops")) } } == .invalidResponse)
        let named = try? walk().with { (walk) throws(PageError) in
            do throws(PageError) {
                return try walk.next(after: head("<https://c.example/?q=secret>; rel=next")) == nil
            } catch {
                #expect(error.origin == "https://c.example" && !error.message.contains("secret"))
                return true
            }
        }
        #expect(named == true)
    }

    @Test("a page that was requested before ends the walk with an error, also over three pages and after a redirect")
    func loops() throws {
        var three = walk()
        for page in [2, 3] {
            _ = try three.next(after: head("</items?page=\(page)>; rel=next"))
        }
        #expect(three.page == 3)
        #expect(kind { try three.next(after: head("</items?page=2#x>; rel=next")) } == .paginationLoop)
        var redirected = walk()
        #expect(
            kind { try redirected.next(after: head("</moved>; rel=next", url: "https://api.example.com/moved")) }
                == .paginationLoop)
        var same = walk(body: #"{"a":1}"#)
        #expect(
            kind { try same.next(after: head(), at: #require(try cursor(#"{"body":{"a":1}}"#))) } == .paginationLoop)
    }

    @Test("the walk ends at the number of pages that the user allows, without an error")
    func maximum() throws {
        var walk = walk(maximum: 2)
        #expect(try walk.next(after: head("</2>; rel=next")) != nil)
        #expect(try walk.next(after: head("</3>; rel=next")) == nil)
        #expect(try walk.next(after: head("<https://b.example>; rel=next")) == nil)
        var cursors = self.walk(maximum: 2)
        #expect(try cursors.next(after: head(), at: #require(try cursor("\"/2\""))) != nil)
        #expect(try cursors.next(after: head(), at: #require(try cursor("\"/3\""))) == nil)
    }

    @Test(
        "a cursor sets, replaces and removes parameters of the query",
        arguments: [
            (#""/b?x=1""#, "/b?x=1"), (#"{"url":"/b?x=1","query":{"y":true}}"#, "/b?x=1&y=true"),
            (#"{"query":{"page":2}}"#, "/items?page=2"), (#"{"query":{"c":"a b&","page":null}}"#, "/items?c=a+b%26"),
            (#"{"url":"?a=%zz&p%61ge=3","query":{"page":1.5}}"#, "/items?a=%zz&page=1.5"),
            (#"{"url":null,"query":{"after":"x"},"body":null}"#, "/items?page=1&after=x"),
            (#""a b#c""#, "/a%20b"), (#""./MjA""#, "/MjA"), (#""page/2""#, "/page/2"), (#""2.json""#, "/2.json"),
            (#"{"url":"MjA"}"#, "/MjA"),
        ])
    func query(text: String, expected: String) throws {
        var walk = walk()
        let next = try walk.next(after: head(), at: #require(try cursor(text)))
        #expect(next?.message.url == "https://api.example.com" + expected)
    }

    @Test(
        "null, an empty string and an object of empty parameters are no cursor",
        arguments: [
            "null", #""""#, #"{"url":null}"#, #"{"query":{"c":null}}"#, #"{"query":{"c":"","d":null},"url":""}"#,
        ])
    func ends(text: String) throws { #expect(try cursor(text) == nil) }

    @Test(
        "what is no cursor is an error that names its type",
        arguments: [
            ("{}", "an object that is empty or"), (#"{"href":"/x"}"#, "or has unknown members"),
            ("2", "type number"), ("[]", "type array"), ("false", "type boolean"),
            (#"{"url":1}"#, "a url of type number"),
            (#""MjA""#, "a string that is no URL, path or query"), (#""eyJpIjo1fQ==""#, "a string that is no URL"),
            (#"{"query":[]}"#, "a query of type array"), (#"{"query":{"a":{}}}"#, "a query parameter of type object"),
            (#"{"body":"x"}"#, "a body of type string"),
        ])
    func noCursor(text: String, reason: String) throws {
        let error = #expect(throws: PageError.self) { _ = try cursor(text) }
        #expect(error?.kind == .filter && error?.message.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("the body of a cursor is merged into the JSON body of the request, page after page")
    func body() throws {
        var walk = walk("https://api.example.com/graphql", body: #"{"query":"q","variables":{"n":2}}"#)
        let page = head(url: "https://api.example.com/graphql")
        for cursor in ["a", "b"] {
            let next = try walk.next(
                after: page, at: #require(try self.cursor(#"{"body":{"variables":{"after":"\#(cursor)"}}}"#)))
            let body = next?.message.body.map { String(decoding: $0, as: UTF8.self) }
            #expect(body == #"{"query":"q","variables":{"n":2,"after":"\#(cursor)"}}"#)
            #expect(next?.message.method == "POST")
        }
        let cursor = try #require(try cursor(#"{"body":{"a":1}}"#))
        for wrong in [nil, "a=1", "[1]"] {
            var walk = self.walk(body: wrong)
            #expect(kind { try walk.next(after: head(), at: cursor) } == .filter)
        }
    }
}

extension PageWalk {
    /// Runs a step on a copy.
    fileprivate func with<Value>(_ step: (inout PageWalk) throws -> Value) rethrows -> Value {
        var copy = self
        return try step(&copy)
    }
}
