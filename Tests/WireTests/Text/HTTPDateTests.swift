import TestSupport
import Testing
import Wire

@Suite("HTTP dates and Retry-After")
struct HTTPDateTests {
    /// Fri, 31 Dec 1999 23:58:59 GMT
    let now = 946_684_739

    @Test("Retry-After means the seconds of the case", arguments: try VectorGroup("retry_after").cases)
    func vectors(row: VectorCase) throws {
        let value = try #require(row["value"]?.string)
        let expected = row["seconds"]?.string == "over-cap" ? Int.max : row["seconds"]?.integer
        #expect(RetryAfter.seconds(value, now: now) == expected)
    }

    @Test(
        "the three forms mean the same second",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) { #expect(HTTPDate(text, now: now)?.seconds == 784_111_777) }

    @Test(
        "dates far apart are counted right",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Fri, 31 Dec 2100 12:00:00 GMT", 4_133_937_600),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ])
    func calendar(text: String, seconds: Int) { #expect(HTTPDate(text, now: now)?.seconds == seconds) }

    @Test("a year of two digits is the latest that is at most 50 years ahead")
    func shortYears() {
        #expect(HTTPDate("Saturday, 01-Jan-00 00:00:00 GMT", now: now)?.seconds == 946_684_800)
        #expect(HTTPDate("Friday, 01-Jan-49 00:00:00 GMT", now: now)?.seconds == 2_493_072_000)
        #expect(HTTPDate("Sunday, 01-Jan-50 00:00:00 GMT", now: now)?.seconds == -631_152_000)
        // Without a clock.
        #expect(HTTPDate("Saturday, 28-Nov-26 00:00:00 GMT")?.seconds == 1_795_824_000)
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT")?.seconds == 784_111_777)
    }

    @Test(
        "a text that is no date of HTTP has no time",
        arguments: [
            "", "Sun", "Sun,", "Sun, 31 Feb 2021 00:00:00 GMT", "Sun, 29 Feb 2100 00:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT", "1994-11-06T08:49:37Z",
        ])
    func refused(text: String) { #expect(HTTPDate(text, now: now) == nil) }
}
