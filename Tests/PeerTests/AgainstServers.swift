import Testing

/// The tests that talk to servers, one at a time: Glewlwyd over sqlite answers with `server_error` when it is asked for
/// two things at once.
@Suite(.serialized)
enum AgainstServers {}
