import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Granted scopes")
struct GrantedScopeTests {
    @Test(
        "K-10, K-11 scope_parse: the granted scope is that of the case", arguments: try VectorGroup("scope_parse").cases
    )
    func vectors(vector: VectorCase) throws {
        let asked = Scope(splitting: try #require(vector["requested"]?.string))
        let value = vector["present"]?.bool == true ? vector["scope"] : nil
        let granted = GrantedScope(value, asked: asked)
        #expect(granted.scope.values == vector["scopes"]?.strings)
        #expect(granted.isNamed == (vector["source"]?.string != "requested"))
        vector.expectWarnings(granted.warnings)
        for missing in vector["missing"]?.strings ?? [] {
            #expect(granted.warnings.contains { $0.message.hasSuffix(" \(missing)") })
        }
    }

    @Test(
        "K-11 a comma separates only if that yields more of what was asked for, or nothing else",
        arguments: [
            ("a,b", "a b", ["a", "b"]), ("b,a", "a b", ["b", "a"]), ("a,b", "a b c", ["a", "b"]),
            ("a,b", "a", ["a", "b"]),
            ("a,b", "", ["a,b"]), ("a,b", "a b a,b", ["a,b"]), ("a,b c", "a b c", ["a,b", "c"]),
            ("a, b, c", "a b c", ["a", "b", "c"]),
            ("a b", "a b", ["a", "b"]), ("A,b", "a b", ["A", "b"]),
        ])
    func commas(text: String, asked: String, values: [String]) {
        #expect(GrantedScope(.string(text), asked: Scope(splitting: asked)).scope.values == values)
    }

    @Test(
        "K-10 a scope that nobody asked for is not missed",
        arguments: [JSON.string("a b"), .string(""), .null, .array([])])
    func nothingAsked(value: JSON) {
        let warnings = GrantedScope(value, asked: Scope([])).warnings
        #expect(warnings == (value.array == nil ? [] : [.scopeNotString(kind: "an array")]))
    }

    @Test("K-10 scope values differ when their characters do")
    func exact() {
        let granted = GrantedScope(.string("e\u{301}"), asked: Scope(["\u{E9}"]))
        #expect(granted.warnings == [.scopeReduced(["\u{E9}"])])
    }

    @Test("K-10 a scope that is exchanged for another one is both less and more than was asked for")
    func exchanged() {
        let granted = GrantedScope(.string("admin repo Read"), asked: Scope(splitting: "email read"))
        #expect(granted.warnings == [.scopeReduced(["email", "read"]), .scopeWidened(["admin", "repo"])])
    }
}
