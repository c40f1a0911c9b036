import Testing
import Wire

@Suite("The extent of a JSON text")
struct JSONExtentTests {
    @Test(
        "counts values, arrays and objects, and nothing inside a string",
        arguments: [
            ("1", 1, 0, 0), ("[1,2]", 3, 1, 0), (#"{"a":1,"b":[true]}"#, 4, 1, 1), (#"["a,[{\",{"]"#, 2, 1, 0),
            (#"["\\",1]"#, 3, 1, 0), (#"{"[,{":"},]"}"#, 2, 0, 1), ("[[[", 4, 3, 0), (#""\"#, 1, 0, 0), ("", 1, 0, 0),
        ])
    func counts(text: String, values: Int, arrays: Int, objects: Int) {
        let extent = JSONExtent(of: Array(text.utf8))
        #expect(extent.values == values && extent.arrays == arrays && extent.objects == objects, "\(extent)")
    }
}
