import TestSupport

/// Runs `call` with these options and a token document, against a server that gives one reply.
func call(_ options: [String], _ reply: Responder.Reply) throws -> ProgramResult {
    let responder = try Responder(reply)
    return try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
}
