internal import QR
internal import Wire

extension Session {
    /// Draws a URL on standard error where `--qr` asks for it; says so where it cannot be.
    func drawQRCode(of url: WebURL) {
        guard arguments.has(ListenOption.qrCode) else { return }
        do throws(QRCodeError) {
            let code = try QRCode(url.text)
            diagnostics.draw(code.drawing(isColored: Terminal.isTerminal(2)))
        } catch {
            diagnostics.tell("no QR code: \(error.message)")
        }
    }
}
