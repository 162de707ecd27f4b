import Dispatch
import HTTP
import Synchronization
import TestKit
import Testing

@testable import PlatformKit

@Suite struct BellTests {
    @Test func `what is there already is found without waiting`() throws {
        let found = try Bell().occasion().first(within: 60) { 7 }
        #expect(found == 7)
    }

    @Test func `a ring lets the waiter look again`() throws {
        let bell = Bell()
        let value = Mutex<Int?>(nil)
        DispatchQueue.global().async {
            while !bell.isWatched {}
            bell.ring()
            value.withLock { $0 = 7 }
            bell.ring()
        }
        let found = try bell.occasion().first(within: 60) { value.withLock { $0 } }
        #expect(found == 7)
        #expect(!bell.isWatched)
    }

    @Test func `no time to wait means one look`() throws {
        let looks = Mutex(0)
        let found: Int? = try Bell().occasion().first(within: 0) {
            looks.withLock { $0 += 1 }
            return nil
        }
        #expect(found == nil)
        #expect(looks.withLock { $0 } == 1)
    }

    @Test func `a ring between the look and the waiting is not lost`() throws {
        let bell = Bell()
        let occasion = bell.occasion(about: "ada")
        bell.ring(about: ["ada"])
        let rings = Mutex(0)
        let stop = occasion.listen { rings.withLock { $0 += 1 } }
        #expect(rings.withLock { $0 } == 1)
        stop()
        #expect(!bell.isWatched)
    }

    @Test func `a ring about one topic leaves those sleeping who wait for another`() {
        let bell = Bell()
        let heard = Mutex<[String]>([])
        let stops = ["ada", "eva", nil].map { topic in
            bell.listen(about: topic) { heard.withLock { $0.append(topic ?? "all") } }
        }

        bell.ring(about: ["ada"])
        #expect(heard.withLock { $0.sorted() } == ["ada", "all"])
        bell.ring(about: [])
        #expect(heard.withLock { $0.sorted() } == ["ada", "all", "all"])
        bell.ring()
        #expect(heard.withLock { $0.sorted() } == ["ada", "ada", "all", "all", "all", "eva"])
        for stop in stops { stop() }
        #expect(!bell.isWatched)
    }

    @Test func `closing sends every waiter home`() throws {
        let bell = Bell()
        DispatchQueue.global().async {
            while !bell.isWatched {}
            bell.close()
        }
        let found: Int? = try bell.occasion().first(within: 60) { nil }
        #expect(found == nil)
        let late: Int? = try bell.occasion().first(within: 60) { nil }
        #expect(late == nil)
    }

    @Test func `of a hundred waiters none is forgotten`() {
        let bell = Bell()
        let isOpen = Mutex(false)
        let home = DispatchGroup()
        let arrived = Mutex(0)
        for _ in 0..<100 {
            DispatchQueue(label: "waiter").async(group: home) {
                // A thrown error is a waiter that does not arrive.
                let found = try? bell.occasion().first(within: 30) { isOpen.withLock { $0 ? true : nil } }
                if found == true { arrived.withLock { $0 += 1 } }
            }
        }
        isOpen.withLock { $0 = true }
        bell.ring()
        #expect(home.wait(timeout: .now() + 30) == .success)
        #expect(arrived.withLock { $0 } == 100)
    }

    @Test func `of several under one name one looks each second, and after it the next`() {
        let bell = Bell()
        let looks = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        let stopFirst = bell.look(everySecond: "clock") {
            looks.withLock { $0.append(1) }
            done.signal()
        }
        let stopSecond = bell.look(everySecond: "clock") {
            looks.withLock { $0.append(2) }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 30) == .success)
        #expect(looks.withLock { $0 } == [1])
        stopFirst()
        #expect(done.wait(timeout: .now() + 30) == .success)
        #expect(looks.withLock { $0.last } == 2)
        stopSecond()
    }
}
