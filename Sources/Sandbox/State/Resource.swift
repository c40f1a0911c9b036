enum Resource {
    case user
    case repositories
    case starredGists
    case publicGists
    case notifications
    case echo
    case events
    case status(Int)
    case delay(Double)
    case bytes(Int)

    /// The resource at a path; nil for an unknown path, and for a number out of bounds.
    init?(path: String) {
        switch path {
        case "/user": self = .user
        case "/user/repos": self = .repositories
        case "/gists/starred": self = .starredGists
        case "/gists/public": self = .publicGists
        case "/notifications": self = .notifications
        case "/echo": self = .echo
        case "/events": self = .events
        default:
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            self.init(kind: parts[1], number: parts[2])
        }
    }

    private init?(kind: Substring, number: Substring) {
        switch kind {
        case "status":
            guard let status = Decimal.whole(number), (200...599).contains(status) else { return nil }
            self = .status(status)
        case "delay":
            guard let seconds = Decimal.seconds(number), seconds <= 60 else { return nil }
            self = .delay(seconds)
        case "bytes":
            guard let count = Decimal.whole(number) else { return nil }
            self = .bytes(count)
        default: return nil
        }
    }

    /// The allowed methods; empty for any.
    var methods: [String] {
        switch self {
        case .user, .repositories, .starredGists, .publicGists, .notifications, .events, .bytes: ["GET"]
        case .echo, .status, .delay: []
        }
    }

    var isPublic: Bool { if case .publicGists = self { true } else { false } }

    /// The required scope value; nil for none.
    var scope: String? {
        switch self {
        case .repositories: "repo"
        case .starredGists: "gist"
        case .publicGists, .notifications, .user, .echo, .events, .status, .delay, .bytes: nil
        }
    }
}
