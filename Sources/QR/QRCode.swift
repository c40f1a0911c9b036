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

    /// The characters that a drawing is made of.
    package enum Characters: Sendable {
        /// Half blocks, two modules to a character.
        case blocks
        /// `##` or two spaces to a module, for a locale without UTF-8.
        case ascii
    }

    /// The size of a drawing in characters.
    package func size(in characters: Characters) -> (rows: Int, columns: Int) {
        let side = width + 2 * Self.quiet
        return characters == .blocks ? ((side + 1) / 2, side) : (side, 2 * side)
    }

    /// The modules of the quiet zone at each side.
    private static let quiet = 2

    /// The code with the quiet zone around it: light is drawn, dark is left out.
    ///
    /// - Parameter isColored: whether each line sets white on black, so that it is right on a light terminal too.
    package func drawing(in characters: Characters, isColored: Bool) -> String {
        let quiet = Self.quiet
        var text = ""
        for row in stride(from: -quiet, to: width + quiet, by: characters == .blocks ? 2 : 1) {
            if isColored { text += "\u{1B}[40;37;1m" }
            for column in -quiet..<width + quiet {
                // Below an odd last line there is nothing, which looks the same as dark.
                let isLowerLight = row + 1 < width + quiet && !isDark(row + 1, column)
                switch (characters, !isDark(row, column), isLowerLight) {
                case (.ascii, true, _): text += isColored ? Self.solid : "##"
                case (.ascii, false, _): text += "  "
                case (.blocks, true, true): text += "█"
                case (.blocks, true, false): text += "▀"
                case (.blocks, false, true): text += "▄"
                case (.blocks, false, false): text += " "
                }
            }
            text += isColored ? "\u{1B}[0m\n" : "\n"
        }
        return text
    }

    /// A light module without gaps: white on white.
    private static let solid = "\u{1B}[47m##\u{1B}[40m"

    /// Whether a module is dark: its lowest bit. Modules outside are light.
    private func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column] & 1 == 1
    }
}

package enum QRCodeError: Error, Equatable {
    /// libqrencode cannot be loaded: the dynamic linker's words.
    case library(String)
    /// The text is longer than the largest code holds (2953 bytes).
    case tooLong

    /// One sentence, lower case, without a full stop.
    package var message: String {
        switch self {
        case .library(let reason): "libqrencode cannot be loaded (Debian: libqrencode4): \(reason)"
        case .tooLong: "the URL is too long for one"
        }
    }
}
