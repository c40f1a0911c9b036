internal import Glibc
internal import OAuth
internal import System
internal import Shell

/// The redirected URL that the user pastes on standard input while the redirect is waited for: a browser on another
/// machine cannot bring it.
final class TypedRedirect {
    /// Readable when something was typed.
    let descriptor: Int32 = 0
    /// The redirected URL, once it was typed.
    private(set) var url: String?
    private let flow: Document
    private let diagnostics: Diagnostics
    private var line = TypedLine()
    private var wrapped = WrappedText()

    /// Takes lines for a flow; nil if standard input is no terminal.
    init?(for flow: Document, _ diagnostics: Diagnostics) {
        guard TerminalMode.holdWithoutLines(descriptor) else { return nil }
        (self.flow, self.diagnostics) = (flow, diagnostics)
    }

    deinit { TerminalMode.release() }

    /// Reads what was typed; what is not the URL, the user is told. In the background that would stop the process (SIGTTIN).
    ///
    /// - Returns: whether more is awaited.
    func read() -> Bool {
        guard tcgetpgrp(descriptor) == getpgrp(), let bytes = try? FileDescriptor.standardInput.read(upTo: 4096),
            !bytes.isEmpty
        else { return false }
        for byte in bytes {
            do throws(Failure) {
                switch try line.take(byte) {
                case .line(let text): take(text)
                case .input: return false
                case nil: continue
                }
            } catch {
                diagnostics.tell(error)
            }
            if url != nil { return false }
        }
        return true
    }

    /// Refuses what is not the redirected URL of a flow; one that says no is.
    static func check(_ text: String, for flow: Document) throws(OAuthError) {
        let callback = try Callback(pasted: text)
        guard case .url = callback else { throw OAuthError(.unreadableResponse, "it is not a URL") }
        do throws(OAuthError) { try AuthorizationResponse.look(at: callback, for: flow) } catch {
            guard error.kind == .authorization else { throw error }
        }
    }

    private func take(_ line: String) {
        do throws(OAuthError) {
            url = try wrapped.read(line) { text throws(OAuthError) in
                try Self.check(text, for: flow)
                return text
            }
        } catch {
            if !line.isEmpty { diagnostics.tell("that is not the redirected URL: \(error.message)") }
        }
    }
}
