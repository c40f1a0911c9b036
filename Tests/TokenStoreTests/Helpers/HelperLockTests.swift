import System
import Testing

@testable import TokenStore

@Suite("The locks of helpers")
struct HelperLockTests {
    @Test("the locks of a helper's store are in one place for a user, whatever the variables say")
    func locks() throws {
        let home = try #require(UserAccount.home)
        let folders = ["/a", "/b"].map { place in UserFolders { $0 == "HOME" || $0 == "XDG_STATE_HOME" ? place : nil } }
        let isOwn = (try? FileStatus(at: home))?.isOwn == true
        #expect(try folders[0].locks() == (isOwn ? "\(home)/.local/state/oap/locks" : "/a/oap/locks"))
        #expect(try folders[1].locks() == (isOwn ? folders[0].locks() : "/b/oap/locks"))
        #expect(try folders[0].tokens() == "/a/oap/tokens")
    }
}
