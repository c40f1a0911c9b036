import TestSupport
import Testing
import Wire

/// Runs `call` with these options and a token document, against a server that gives one reply.
func call(_ options: [String], _ reply: Responder.Reply) throws -> ProgramResult {
    let responder = try Responder(reply)
    return try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
}

/// Runs `call` with these options against a server that keeps the connection open behind the body.
///
/// - Returns: the peak memory of the program in bytes, when all of the body was sent, and the server.
func measuredCall(_ options: [String], _ body: String, header: String = "") throws -> (peak: Int, server: Responder) {
    let (sent, end) = (Responder.Gate(), Responder.Gate())
    defer { end.open() }
    let reply = Responder.Reply.raw("HTTP/1.1 200 OK\r\n\(header)\r\n").then(.raw(body)).opening(sent)
    let responder = try Responder { _ in reply.then(.close.after(end)) }
    let folder = try TemporaryDirectory()
    let token = try folder.write(JSON.object(responder.token).text, to: "token.json")
    var program = Program.oap(["call", "/x"] + options, input: .file(token))
    program.output = .file("/dev/null")
    let running = try program.start()
    #expect(sent.wait())
    let peak = running.peakMemory
    end.open()
    try running.finish().expect(status: 0)
    return (try #require(peak), responder)
}

/// An array of 40 MB, of objects with a `name`.
let manyElements: String = {
    let element = #"{"id":1,"text":"\#(String(repeating: "x", count: 1_500))","name":"n"}"#
    return "[" + repeatElement(element, count: 26_000).joined(separator: ",") + "]"
}()
