import Essentials
import SQLite
import Testing

/// What comes from a row, a file or a client is counted and converted without a trap.
@Suite struct SaturationTests {
    @Test(
        arguments: [
            (2.9, 2), (-2.1, -3), (1e300, .max), (-1e300, .min), (.infinity, .max), (-.infinity, .min),
            (.nan, 0),
            (9.3e18, .max), (0x1p63, .max), (-0x1p63, .min),
        ] as [(Double, Int)])
    func `a number without room becomes the nearest that has`(_ value: Double, _ expected: Int) {
        #expect(Int(saturating: value) == expected)
    }

    @Test func `a rule of rounding is obeyed`() {
        #expect(Int(saturating: 2.1, .up) == 3)
        #expect(Int(saturating: 2.5, .toNearestOrAwayFromZero) == 3)
    }

    @Test func `sums, differences and products end at the last number`() {
        #expect(Int.max.adding(1) == .max && Int.min.adding(-1) == .min && 2.adding(3) == 5)
        #expect(Int.min.subtracting(1) == .min && Int.max.subtracting(-1) == .max && 2.subtracting(3) == -1)
        #expect(Int.max.multiplied(by: 1000) == .max && Int.max.multiplied(by: -2) == .min)
        #expect(Int.min.multiplied(by: -1) == .max && (-3).multiplied(by: 4) == -12)
        var counter = Int.max
        counter.increment()
        #expect(counter == .max)
    }

    @Test func `times are counted in whole units`() {
        let time = Date(timeIntervalSince1970: 1_767_323_045.678)
        #expect(time.unixSeconds == 1_767_323_045)
        #expect(time.unixMilliseconds == 1_767_323_045_678)
        #expect(Date(unixMilliseconds: 1_767_323_045_678) == time)
        #expect(time.adding(seconds: 1.5).seconds(since: time) == 1)
        #expect(time.seconds(until: time.adding(seconds: 1.5)) == 2)
    }

    @Test func `nothing ended, and nothing is left, fewer than no seconds ago`() {
        let time = Date(timeIntervalSince1970: 1_767_323_045)
        #expect(time.seconds(since: time + 5) == 0)
        #expect(time.seconds(until: time - 5) == 0)
    }

    @Test(arguments: [Int.max, .min])
    func `a time from 1970 to 9999 stays one, whatever is added`(_ seconds: Int) {
        let time = Date(timeIntervalSince1970: 1_767_323_045)
        #expect(Date.writable.contains(time.adding(seconds: seconds)))
        #expect(Date.writable.contains(Date(unixMilliseconds: seconds)))
        #expect(time.adding(seconds: .nan) == time)
        #expect(Date(timeIntervalSince1970: Double(seconds)).unixMilliseconds == seconds)
    }

    @Test(arguments: [Int64.max, .min])
    func `a row's times and numbers have room to both sides`(_ extreme: Int64) throws {
        let database = try Database(.memory)
        try database.write { db in
            try db.execute("CREATE TABLE t (n INTEGER NOT NULL, at INTEGER NOT NULL) STRICT")
            try db.execute("INSERT INTO t VALUES (\(extreme), \(extreme))")
            let number = try db.value(Int.self, "SELECT n FROM t") ?? 0
            #expect(ClosedRange.exactInJSON.contains(number))
            #expect(!number.multipliedReportingOverflow(by: 1000).overflow)
            #expect(Date.writable.contains(try db.value(Date.self, "SELECT at FROM t") ?? .distantPast))
            #expect(try db.value(Int64.self, "SELECT n FROM t") == extreme)
        }
    }

    @Test func `a time is stored as one that can be written`() {
        #expect(Date.distantPast.sqlValue == .integer(0))
        #expect(Date(timeIntervalSince1970: 1e300).sqlValue == .integer(253_402_300_799_999))
        #expect(Date(timeIntervalSince1970: .nan).sqlValue == .integer(0))
    }
}
