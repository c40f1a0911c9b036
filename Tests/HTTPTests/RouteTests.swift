import Errands
import Testing

@Suite("The way to a server")
struct RouteTests {
    @Test("what a route does not say is another's, and a key goes with its certificate")
    func over() {
        var (option, document) = (Route(), Route())
        (document.certificateFile, document.keyFile, document.proxy, document.noProxy) = ("c", "k", "p", "n")
        #expect(option.over(document) == document)
        option.certificateFile = "own"
        var both = document
        (both.certificateFile, both.keyFile) = ("own", nil)
        #expect(option.over(document) == both)
        (option.certificateFile, option.keyFile, option.noProxy) = (nil, "own", "*")
        (both.certificateFile, both.keyFile, both.noProxy) = ("c", "own", "*")
        #expect(option.over(document) == both)
    }
}
