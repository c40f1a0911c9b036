/// Filters from a seed, all of which compile, end, and depend on nothing but their input.
struct RandomFilter {
    private var generator: Generator

    init(seed: UInt64) { generator = Generator(state: seed) }

    /// Each % stands for another filter. What takes forever or aborts in libjq 1.6 for some argument has a fixed one:
    /// `range`, `until`, `implode`, `gsub` with an empty match and the like.
    private static let forms = #"""
        map(%) ¦ select(%) ¦ [%] ¦ % | % ¦ %, % ¦ (%)? ¦ {a: (%)} ¦ {("b", "c"): (%)} ¦ {map: ., "\(1)": (%)} ¦ "x\(%)y"
        @base64 "\(%)" ¦ @json "map \(%)" ¦ @text "\(%)" ¦ "recurse(\("\(%)"))" ¦ "\(%)" | length # first(.) " \(
        (%) + (%) ¦ (%) - (%) ¦ (%) == (%) ¦ (%) < (%) ¦ (%) >= (%) ¦ (%) and (%) ¦ (%) or (%) ¦ (%) // (%) ¦ -(%) ¦ (%)*2
        if % then % else % end ¦ if % then % elif % then % else % end ¦ try (%) catch (%) ¦ try error(%) catch .
        reduce (%) as $x (.; [., $x] | length) ¦ reduce .[]? as [$x] (0; . + 1) ¦ foreach (%) as $x (0; . + 1; [$x, .])
        label $out | foreach (%) as $i (0; . + 1; if . > 2 then ., break $out else . end) ¦ label $f | (%), break $f
        (%) as $v | [$v, .] ¦ (%) as [$v] | $v ¦ . as {a: $v, b: [$w]} ?// [$v, $w] | [$v, $w] ¦ (%) as {$a} ?// $a | $a
        .a = (%) ¦ .a |= (%) ¦ .[]? += (%) ¦ .a //= (%) ¦ (.. | select(. == 1)) |= (%) ¦ .b -= 1 ¦ .[0]? = (%) ¦ to_entries[0].key
        def f: %; f | f ¦ def f(g): [g, g]; f(%) ¦ def f($a; g): $a | g; f(%; %) ¦ def map(f): [f]; map(%) ¦ def first: %; first
        def error: "mine"; try (%) catch error ¦ def select(f): f; select(%) ¦ def _modify(a; b): "mine"; .a |= 1 ¦ def r: .; r | %
        sort_by(%) ¦ group_by(%) ¦ unique_by(%) ¦ max_by(%) ¦ min_by(%) ¦ with_entries(.value |= (%)) ¦ map_values(%) ¦ walk(%)
        any(%) ¦ all(%) ¦ any(.[]?; %) ¦ all(%; .) ¦ first(%) ¦ last(%) ¦ limit(2; %) ¦ nth(1; %) ¦ isempty(%) ¦ del(.a, .b) ¦ in({a: 1})
        path(..) ¦ paths(%) ¦ [paths] ¦ [leaf_paths] ¦ getpath(["a", "b"])? ¦ setpath(["a"]; %) ¦ delpaths([["a"], [0]])?
        to_entries ¦ from_entries ¦ recurse(.[]?; %) ¦ [recurse] ¦ [.. | numbers, strings] ¦ [recurse_down] ¦ tojson | fromjson
        [while(false; %)] ¦ until(true; %) ¦ [limit(3; repeat(1))] ¦ [range(3)] ¦ [range(1; 3)] ¦ [range(0; 9; 4)] ¦ [range(5; 0; -2)]
        index("a") ¦ rindex("b") ¦ indices("a") ¦ indices(1) ¦ inside(%) ¦ contains(%) ¦ has("a")? ¦ startswith("a") ¦ ltrimstr("a")
        test("A"; "i") ¦ [match("a|b"; "g").offset] ¦ capture("(?<x>a)") ¦ [scan("[a-z]")] ¦ split("b"; null) ¦ [splits("a")]
        sub("a"; "\(%)") ¦ gsub("[ab]"; "<\(.)>") ¦ gsub("(?<x>[a-c])"; .x + "-"; "i") ¦ sub("b"; "c"; "g") ¦ test(["a", "x"])
        ascii_downcase ¦ ascii_upcase ¦ explode | implode ¦ tostream ¦ fromstream(tostream) ¦ [1 | truncate_stream([[0], 1], [[1, 0], 2])]
        bsearch(%) ¦ INDEX(.a?) ¦ INDEX(.[]?; .a?) ¦ IN(%) ¦ IN(%; %) ¦ JOIN({"1": 2}; tostring) ¦ [JOIN({}; .[]?; tojson)]
        [[1, 2], [3, 4]] | [combinations] ¦ [0, 1] | [combinations(2)] ¦ [[1], [2, 3]] | transpose ¦ flatten(1) ¦ join(", ") ¦ add ¦ any ¦ all
        1425599621 | todate, todateiso8601 ¦ "2015-03-05T23:51:47Z" | fromdate ¦ "2015-03-05T23:51:47Z" | fromdateiso8601 ¦ input ¦ [inputs]
        try input catch . ¦ splits("b") ¦ join(%) ¦ error ¦ error(%) ¦ env | type ¦ $ENV | type ¦ input_line_number ¦ 1as $x | 2or map(%)
        """#.split { $0 == "¦" || $0 == "\n" }.map { String($0.drop { $0 == " " }) }

    private static let ends = [
        ".", "..", ".[]?", ".a", ".a?", ".b[0]?", ".[1:]", ".map", ".first?", "1", "null", "false", "\"ab\"", "[]",
        "{}",
        "[.]", "{a: 1}", "empty", "length", "not", "keys", "values", "nulls", "booleans", "numbers", "strings",
        "arrays",
        "objects", "iterables", "scalars", "scalars_or_empty", "finites", "normals", "first", "last", "reverse",
        "unique",
        "flatten", "floor", "sqrt", "tostring", "tonumber", "type", "infinite", "isfinite", "sort", "min", "max", "@sh",
        "@csv", "@html", "@uri", "tojson", "nth(0)", "map(.)", "add", "to_entries", "utf8bytelength", "ascii_downcase",
        "1e1", "\"map(\\(.))\"", "5e0", "1|.", "$__loc__.file", "transpose?", "error", "recurse", "paths",
    ]

    /// A filter of so many levels.
    mutating func filter(depth: Int) -> String {
        guard depth > 0 else { return generator.pick(RandomFilter.ends) }
        let parts = generator.pick(RandomFilter.forms).split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let inner = filter(depth: Int.random(in: 0..<depth, using: &generator))
            return "\(text)\(inner.contains("#") ? inner + "\n" : inner)\(part)"
        }
    }
}
