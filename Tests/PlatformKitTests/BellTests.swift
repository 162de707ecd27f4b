import Dispatch
import Synchronization
import Testing

@testable import PlatformKit

@Suite struct BellTests {
    @Test func `what is there already is found without waiting`() {
        #expect(Bell().wait(seconds: 60) { 7 } == 7)
    }

    @Test func `a ring lets the waiter look again`() {
        let bell = Bell()
        let value = Mutex<Int?>(nil)
        DispatchQueue.global().async {
            while !bell.isWatched {}
            bell.ring()
            value.withLock { $0 = 7 }
            bell.ring()
        }
        #expect(bell.wait(seconds: 60) { value.withLock { $0 } } == 7)
        #expect(!bell.isWatched)
    }

    @Test func `no time to wait means one look`() {
        let looks = Mutex(0)
        let found: Int? = Bell().wait(seconds: 0) {
            looks.withLock { $0 += 1 }
            return nil
        }
        #expect(found == nil)
        #expect(looks.withLock { $0 } == 1)
    }

    @Test func `closing sends every waiter home`() {
        let bell = Bell()
        DispatchQueue.global().async {
            while !bell.isWatched {}
            bell.close()
        }
        let found: Int? = bell.wait(seconds: 60) { nil }
        #expect(found == nil)
        let late: Int? = bell.wait(seconds: 60) { nil }
        #expect(late == nil)
    }

    @Test func `of a hundred waiters none is forgotten`() {
        let bell = Bell()
        let isOpen = Mutex(false)
        let home = DispatchGroup()
        let arrived = Mutex(0)
        for _ in 0..<100 {
            DispatchQueue(label: "waiter").async(group: home) {
                let found = bell.wait(seconds: 30) { isOpen.withLock { $0 ? true : nil } }
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
