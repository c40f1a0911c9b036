import Foundation
import Testing
import Wire

/// How wide a page is in a real browser, Debian's chromium.
package enum PageWidth {
    /// The width that the content of a page needs in a window of 360 CSS pixels, that of a phone.
    package static func onPhone(_ html: String) throws -> Int {
        let folder = try TemporaryDirectory()
        let source = html.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        let frame = """
            <!doctype html><iframe id="page" width="360" height="740" style="border: 0" srcdoc="\(source)"></iframe>
            <output id="width"></output>
            <script>onload = () => width.textContent = page.contentDocument.documentElement.scrollWidth</script>
            """
        let path = folder.path("frame.html")
        try Data(frame.utf8).write(to: URL(fileURLWithPath: path))
        var browser = Program(
            path: "/usr/bin/chromium",
            arguments: [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path("browser"))",
                "--dump-dom", "file://\(path)",
            ])
        browser.environment = ["HOME": folder.path]
        let dom = try browser.run().expect(status: 0).text
        return try #require(dom.firstMatch(of: /<output id="width">(\d+)</).flatMap { Int($0.1) }, "\(dom)")
    }
}
