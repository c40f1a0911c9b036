internal import CSandboxTexts
internal import CommandSpec

/// The text of the manual page, which only help and the page read.
enum Manual {
    static let sandbox = ManualText(Array(String(cString: oap_sandbox_text("oap-sandbox.md")).utf8))
}
