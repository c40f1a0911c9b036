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
