internal import Wire

/// The gists that the user has starred, and those of everybody, in the format of GitHub.
enum Gist {
    static let count = 42

    static let publicCount = 60

    /// The entry of one of this owner in the list, counted from 1.
    static func document(_ number: Int, of person: Person) -> JSONObject {
        let name = "note-\(number).txt"
        return [
            "id": .string("gist\(number)"), "html_url": .string("https://gist.git.example/gist\(number)"),
            "public": .bool(true), "description": .string("Note \(number)"), "comments": .integer(number % 4),
            "created_at": .string(Repository.date(number)), "updated_at": .string(Repository.date(number + 1)),
            "files": .object([
                name: .object([
                    "filename": .string(name), "type": .string("text/plain"), "language": .string("Text"),
                    "size": .integer(number * 17),
                ])
            ]),
            "owner": .object(["login": .string(person.login), "id": .integer(1815)]),
        ]
    }
}
