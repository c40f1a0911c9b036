/// The name that differs from the word only by the capitals in it: the word in lower case.
package func lowerCase(_ word: String, among names: [String]) -> String? {
    let name = word.lowercased()
    return names.contains { $0.isIdentical(to: name) } && !name.isIdentical(to: word) ? name : nil
}

/// The only name with the word as prefix, or else the name with the smallest edit distance.
///
/// - Parameter longer: the names that the word may be a prefix of, if other than `names`.
package func nearest(_ word: String, among names: [String], prefixesOf longer: [String]? = nil) -> String? {
    let completions = (longer ?? names).filter { $0.hasPrefix(word) && !word.isEmpty }
    if completions.count == 1 { return completions[0] }
    // No name is that long, and the comparison of a megabyte would take long.
    guard word.utf8.count <= 64 else { return nil }
    let distances = names.map { (name: $0, distance: editDistance(word, $0)) }
    let allowed = max(1, word.count / 3)
    return distances.filter { $0.distance <= allowed }.min { $0.distance < $1.distance }?.name
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
/// alignment, the usual form of the Damerau-Levenshtein distance).
package func editDistance(_ first: String, _ second: String) -> Int {
    let a = Array(first.unicodeScalars)
    let b = Array(second.unicodeScalars)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            let replaced = last[j] + (a[i] == b[j] ? 0 : 1)
            var best = min(last[j + 1] + 1, row[j] + 1, replaced)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}
