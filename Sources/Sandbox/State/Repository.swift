internal import Wire

/// The repositories of the user, in the format of GitHub. They never change.
enum Repository {
    static let count = 321

    private static let subjects = ["analytical", "difference", "bernoulli", "jacquard", "punched", "cosine", "tabular"]
    private static let things = ["engine", "loom", "notes", "numbers", "cards", "mill", "store", "operations", "table"]
    private static let languages = ["Swift", "C", "Shell", "Python", "Rust", "Go"]

    /// The name of a repository, counted from 1.
    static func name(_ number: Int) -> String {
        "\(subjects[number % subjects.count])-\(things[number % things.count])-\(number)"
    }

    static func fullName(_ number: Int, of person: Person) -> String { "\(person.login)/\(name(number))" }

    static func document(_ number: Int, of person: Person) -> JSONObject {
        let isPrivate = number % 7 == 0
        let page = "https://git.example/\(fullName(number, of: person))"
        var document: JSONObject = [
            "id": .integer(10_000 + number), "node_id": .string("R_\(10_000 + number)"),
            "name": .string(name(number)), "full_name": .string(fullName(number, of: person)),
            "private": .bool(isPrivate),
            "owner": .object([
                "login": .string(person.login), "id": .integer(person.number), "type": .string("User"),
                "site_admin": .bool(false),
            ]),
            "html_url": .string(page), "description": number % 5 == 0 ? .null : .string("Number \(number) of \(count)"),
            "fork": .bool(number % 11 == 0),
            "url": .string("https://api.git.example/repos/\(fullName(number, of: person))"),
            "created_at": .string(date(number)), "updated_at": .string(date(number + 9)),
            "pushed_at": .string(date(number + 8)), "clone_url": .string("\(page).git"),
        ]
        let counts = [
            ("size", number * 37 % 4096), ("stargazers_count", number * 13 % 100),
            ("watchers_count", number * 13 % 100), ("forks_count", number % 17), ("open_issues_count", number % 5),
        ]
        for (name, value) in counts { document[name] = .integer(value) }
        document["language"] = .string(languages[number % languages.count])
        document["archived"] = .bool(number % 23 == 0)
        document["visibility"] = .string(isPrivate ? "private" : "public")
        document["default_branch"] = .string("main")
        document["permissions"] = .object(["admin": .bool(true), "push": .bool(true), "pull": .bool(true)])
        return document
    }

    /// A date that depends only on the number.
    static func date(_ number: Int) -> String {
        "20\(16 + number % 9)-\(twoDigits(1 + number % 12))-\(twoDigits(1 + number % 28))T12:00:00Z"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

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
            "owner": .object(["login": .string(person.login), "id": .integer(person.number)]),
        ]
    }
}
