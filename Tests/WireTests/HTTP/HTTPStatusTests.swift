import Testing
import Wire

@Suite("What a status says about another attempt")
struct HTTPStatusTests {
    @Test("each failure of a server may pass, but for those that say what it cannot do")
    func mayPass() {
        let passing = (100..<700).filter(HTTPStatus.mayPass)
        let lasting = [501, 505, 506, 508, 510, 511]
        #expect(passing == [408, 429] + (500..<600).filter { !lasting.contains($0) })
        #expect((passing + lasting).allSatisfy(HTTPStatus.isFailureOfServer))
        #expect(![400, 401, 404, 421, 423, 425, 426, 600].contains(where: HTTPStatus.isFailureOfServer))
    }

    @Test("a proxy's status decides as that of the server would, and a broken response does not pass")
    func errors() {
        #expect(
            HTTPError.proxy(status: 520, message: "x").mayPass && !HTTPError.proxy(status: 501, message: "x").mayPass)
        #expect(HTTPError.network(stage: .connect, message: "x", requestSent: false).mayPass)
        #expect(!HTTPError.network(stage: .notTLS, message: "x", requestSent: false).mayPass)
        #expect(!HTTPError.malformedResponse("x").mayPass && !HTTPError.certificate(.host, message: "x").mayPass)
    }
}
