internal import CLibQREncode

/// A QR code (ISO/IEC 18004), made by libqrencode, which is loaded when it is first used.
package struct QRCode {
    /// How many modules a side has.
    package let width: Int
    private let modules: [UInt8]

    private static let loadFailure: String? = oap_qr_load().map { String(cString: $0) }

    /// Makes the smallest code for a text.
    package init(_ text: String) throws(QRCodeError) {
        if let reason = Self.loadFailure { throw .library(reason) }
        guard let code = oap_qr_encode(text) else { throw .tooLong }
        defer { oap_qr_free(code) }
        width = Int(code.pointee.width)
        modules = Array(UnsafeBufferPointer(start: code.pointee.data, count: width * width))
    }

    /// The size of the drawing in characters.
    package var rows: Int { (columns + 1) / 2 }
    /// The size of the drawing in characters.
    package var columns: Int { width + 2 * Self.quiet }

    /// The modules of the quiet zone at each side.
    private static let quiet = 2

    /// The code in half blocks, two modules to a character, with the quiet zone around it: light is drawn, dark is left
    /// out.
    ///
    /// - Parameter isColored: whether each line sets white on black, so that it is right on a light terminal too.
    package func drawing(isColored: Bool) -> String {
        let quiet = Self.quiet
        var text = ""
        for row in stride(from: -quiet, to: width + quiet, by: 2) {
            if isColored { text += "\u{1B}[40;37;1m" }
            for column in -quiet..<width + quiet {
                // Below an odd last line there is nothing, which looks the same as dark.
                let isLowerLight = row + 1 < width + quiet && !isDark(row + 1, column)
                switch (!isDark(row, column), isLowerLight) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += isColored ? "\u{1B}[0m\n" : "\n"
        }
        return text
    }

    /// Whether a module is dark: its lowest bit. Modules outside are light.
    private func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column] & 1 == 1
    }
}
