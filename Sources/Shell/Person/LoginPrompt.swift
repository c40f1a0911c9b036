package import CommandSpec
package import OAuth
internal import QR
internal import System
package import Wire

/// Shows the user where to log in: on standard error, as a QR code, in a browser.
package struct LoginPrompt {
    /// Whether an option asks for a browser.
    package let opensBrowser: Bool
    private let isPrivate: Bool
    private let drawsCode: Bool
    private let environment: Environment
    private let diagnostics: Diagnostics

    /// Reads the options of the section Browser.
    package init(_ arguments: Arguments, _ environment: Environment, _ diagnostics: Diagnostics) {
        isPrivate = arguments.has(ListenOption.ephemeral)
        opensBrowser = isPrivate || arguments.has(ListenOption.open)
        drawsCode = arguments.has(ListenOption.qrCode)
        (self.environment, self.diagnostics) = (environment, diagnostics)
    }

    /// Prints a login URL, and its QR code if an option asks for it.
    ///
    /// - Parameters:
    ///   - short: the address on this machine that leads there.
    ///   - redirectsHere: whether the login ends with a redirect to the loopback interface of the browser's machine.
    ///   - tunnel: the command that brings the redirect from another machine to this one, and the short address there.
    package func show(_ url: WebURL, short: String? = nil, redirectsHere: Bool = false, over tunnel: String? = nil) {
        drawCode(of: url)
        if drawsCode, redirectsHere {
            diagnostics.tell("warning: the login ends with a redirect to this machine, which a phone cannot reach")
            diagnostics.hint(
                """
                to log in on a phone, use --device; or use --bind, and as --redirect-uri the https address of a \
                tunnel to this machine
                """)
        }
        if let tunnel {
            diagnostics.tell("to log in, run this on the machine with the browser, to forward the port:")
            diagnostics.print(tunnel)
            diagnostics.tell("and open this URL there:")
            if let short { diagnostics.print(short) }
            if short != nil { diagnostics.tell("which leads to:") }
            return diagnostics.print(url.text)
        }
        diagnostics.tell("to log in, open this URL:")
        diagnostics.print(url.text)
        if let short {
            let host = HostName.own ?? "this machine"
            diagnostics.tell("in a browser on \(host), you can open \(short) instead of the long URL")
        }
    }

    /// Prints the URLs and the user code of the device flow. The code is printed even if a URL contains it, so that the
    /// user can compare both (RFC 8628 §3.3.1).
    package func show(_ device: DeviceAuthorizationResponse) {
        diagnostics.tell("to log in, open this URL on any device:")
        diagnostics.print(device.verificationURI.text)
        diagnostics.tell("and enter this code within \(Self.time(device.expiresIn)):")
        diagnostics.print(device.userCode)
        if let complete = device.verificationURIComplete {
            diagnostics.tell("or open this URL, and compare the code that it shows:")
            diagnostics.print(complete.text)
        }
        drawCode(of: device.verificationURIComplete ?? device.verificationURI)
    }

    /// Says that the server asks the user on a device of the user's, and which text it shows there to compare.
    package func show(_ response: BackchannelAuthenticationResponse, message: String?) {
        diagnostics.tell("the server asks the user to allow the login within \(Self.time(response.expiresIn))")
        guard let message else { return }
        diagnostics.tell("compare the message that the user's device shows:")
        diagnostics.print(message)
    }

    private static func time(_ seconds: Int) -> String { seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min" }

    /// Opens a login URL in a browser if an option asks for it.
    ///
    /// - Parameter isAwaited: whether the command then waits for the user.
    /// - Returns: the browser; nil if none was opened.
    /// - Throws: as ``openBrowser(at:hint:isAwaited:)``.
    @discardableResult
    package func openBrowserIfAsked(at url: WebURL, isAwaited: Bool = false) throws(Failure) -> OpenedBrowser? {
        guard opensBrowser else { return nil }
        return try openBrowser(
            at: url,
            hint: """
                open the URL in any browser; if the redirect does not reach this machine, run curl 'REDIRECTED URL' \
                here, or oap callback-parse 'REDIRECTED URL' with the flow in a file
                """, isAwaited: isAwaited)
    }

    /// Opens a URL in a browser; if that is not possible, prints why and the hint.
    ///
    /// - Parameters:
    ///   - isAwaited: whether the command then waits for the user.
    ///   - elsewhere: what else serves a user without a display; nil where the URL alone does.
    /// - Returns: the browser; nil if none was opened.
    /// - Throws: exit 2 for a variable that is not UTF-8; exit 6 if the user is awaited, and there is no terminal, nor what
    ///   is needed: a display, or the private window that an option asks for.
    @discardableResult
    package func openBrowser(
        at url: WebURL, hint: String, isAwaited: Bool = false, elsewhere: String? = nil
    ) throws(Failure) -> OpenedBrowser? {
        let browser = try Browser(environment)
        if browser.canShow, let opened = isPrivate ? browser.openPrivately(url) : browser.open(url) { return opened }
        let problem = problem(with: browser)
        let isNeeded = isAwaited && (isPrivate || elsewhere != nil && !browser.canShow)
        if isNeeded, !Terminal.isTerminal(0), !Terminal.isTerminal(2) {
            throw Failure(
                .unavailable, .cancelled, "\(problem), and there is no terminal",
                hint: (browser.canShow ? "install Chromium or Firefox, and name it in BROWSER; or " : "")
                    + (isPrivate ? "leave --ephemeral out" : elsewhere ?? ""))
        }
        diagnostics.tell(problem)
        diagnostics.hint(hint)
        return nil
    }

    private func problem(with browser: Browser) -> String {
        if !browser.canShow { return "there is no display to open a browser on" }
        if isPrivate { return "no browser that can open a private window was found" }
        let names = browser.named.joined(separator: ", ")
        let remedy = names.isEmpty ? "install xdg-utils or set BROWSER" : "BROWSER names \(names)"
        return "no browser was found: \(remedy)"
    }

    private func drawCode(of url: WebURL) {
        guard drawsCode else { return }
        do throws(QRCodeError) {
            let code = try QRCode(url.text)
            let characters = LocaleText.isUTF8(environment) ? QRCode.Characters.blocks : .ascii
            let needed = code.size(in: characters)
            if let size = TerminalSize.of(2), needed.columns > size.columns || needed.rows > size.rows {
                let need = "\(needed.rows) rows and \(needed.columns) columns"
                return diagnostics.tell(
                    "no QR code: it needs \(need), and the terminal has \(size.rows) and \(size.columns)")
            }
            diagnostics.draw(code.drawing(in: characters, isColored: Terminal.isTerminal(2)))
        } catch {
            diagnostics.tell("no QR code: \(error.message)")
        }
    }
}
