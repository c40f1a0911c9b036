import Foundation
import JQ
import Testing
import Wire

@Suite struct JQCompilationTests {
    @Test("a filter that was compiled in the background runs here", arguments: [".a", ".a|.+$n-$n", "$status|$n"])
    func compiles(filter: String) throws {
        let compilation = JQCompilation(
            filter, arguments: [("n", .integer(1))], lateVariables: ["status"])
        var compiled = try compilation.wait()
        var text = ""
        let ending = compiled.run(on: .object(["a": .integer(1)]), late: ["status": .null]) {
            text += String(decoding: $0.bytes, as: UTF8.self)
        }
        #expect(ending == .completed)
        #expect(text == "1")
    }

    @Test("the error of a filter comes out where it is waited for")
    func fails() throws {
        let judge = try JQProcess(["nonsense"], input: "null")
        let compilation = JQCompilation("nonsense")
        do throws(JQError) {
            _ = try compilation.wait()
            Issue.record("it compiled")
        } catch {
            #expect(error == .compile(judge.compileFailure))
            #expect(judge.compileFailure.contains("nonsense/0 is not defined"))
        }
    }

    @Test("a compilation may be dropped, and several may go on at once")
    func dropped() throws {
        _ = JQCompilation(".|.")
        let first = JQCompilation("1|.")
        let second = JQCompilation("2|.")
        _ = JQCompilation("(")
        var texts: [[UInt8]] = []
        var filter = try second.wait()
        #expect(filter.run(on: .null) { texts.append($0.bytes) } == .completed)
        filter = try first.wait()
        #expect(filter.run(on: .null) { texts.append($0.bytes) } == .completed)
        #expect(texts == [Array("2".utf8), Array("1".utf8)])
    }
}

/// What the builtins `debug` and `stderr` write. The pipe also catches what others write to standard error meanwhile,
/// which is passed on.
@Suite(.serialized) struct JQDebugTests {
    @Test(
        "debug and stderr write what jq writes, to standard error",
        arguments: [
            (#""marker é\u0000"|debug"#, "-c"), (#"{a:["marker"]}|debug"#, ""), (#"["marker"]|debug"#, "-C"),
            (#"{a:"marker"}|stderr"#, "-c"),
        ])
    func debug(filter: String, options: String) throws {
        let options = options.split(separator: " ").map(String.init)
        let judge = try JQProcess(options + [filter], input: "null")
        #expect(judge.error.contains("marker"))
        var run: FilterRun?
        let written = try standardError { run = try FilterRun(filter, .null, style: JQOutputStyle(options: options)) }
        #expect(run.map { Array($0.text.utf8) } == judge.output)
        #expect(written.contains(judge.error))
    }

    private func standardError(of body: () throws -> Void) throws -> String {
        let pipe = Pipe()
        let original = dup(STDERR_FILENO)
        dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
        let result = Result { try body() }
        dup2(original, STDERR_FILENO)
        close(original)
        try pipe.fileHandleForWriting.close()
        try result.get()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        FileHandle.standardError.write(data)
        return String(decoding: data, as: UTF8.self)
    }
}
