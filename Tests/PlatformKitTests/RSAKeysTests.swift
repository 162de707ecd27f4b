import Crypto
import Dispatch
import Synchronization
import Testing

@testable import PlatformKit

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct RSAKeysTests {
    /// Makes keys of another kind, which are there at once, and counts them; each waits for a word where that is wanted.
    private final class Workshop: Sendable {
        private let made = Mutex(0)
        let words = DispatchSemaphore(value: 0)
        let isSlow: Bool

        init(isSlow: Bool = false) { self.isSlow = isSlow }

        var count: Int { made.withLock { $0 } }

        @Sendable func make() throws -> PrivateKey {
            if isSlow { words.wait() }
            made.withLock { $0 += 1 }
            return try .generate(.ed25519)
        }
    }

    @Test func `no key is made before the first is asked for, and then a few`() throws {
        let workshop = Workshop()
        let keys = RSAKeys(most: 3, make: workshop.make)
        keys.rest(seconds: 30)
        #expect(workshop.count == 0)

        _ = try keys.next()
        keys.untilIdle()
        #expect(workshop.count == 4)
        #expect((1...3).allSatisfy { _ in keys.ready() != nil })
    }

    @Test func `each key is given away once`() throws {
        let keys = RSAKeys(most: 2, make: Workshop().make)
        let pems = try (1...8).map { try $0 % 2 == 0 ? keys.next().pem() : keys.key().pem() }
        #expect(Set(pems).count == 8)
    }

    @Test func `those who wait are served in turn, and not more than may wait`() throws {
        let workshop = Workshop(isSlow: true)
        let keys = RSAKeys(most: 1, longestLine: 2, make: workshop.make)
        let done = DispatchGroup()
        for number in 1...2 {
            DispatchQueue.global().async(group: done) { #expect(throws: Never.self) { try keys.next() } }
            while keys.waiting < number {}
        }

        #expect(throws: RSAKeys.TooMany.self) { try keys.next() }
        for _ in 1...3 { workshop.words.signal() }
        #expect(done.wait(timeout: .now() + 30) == .success)
        #expect(keys.waiting == 0)
        // Whatever is made now is for nobody.
        for _ in 1...3 { workshop.words.signal() }
        keys.rest(seconds: 30)
    }

    /// On a machine that is busy, keys of a thread in the background took a minute, for which phones waited.
    @Test func `who waits waits for no key that is made for nobody`() throws {
        let workshop = Workshop(isSlow: true)
        let isFirst = Mutex(true)
        let priorities = Mutex<[Int32]>([])
        let keys = RSAKeys(most: 1) {
            // Of `PRIO_PROCESS`, whose type differs from system to system, and the calling thread.
            priorities.withLock { $0.append(getpriority(0, 0)) }
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return waits ? try workshop.make() : try .generate(.ed25519)
        }
        #expect(keys.ready() == nil)
        while priorities.withLock(\.isEmpty) {}

        let done = DispatchGroup()
        DispatchQueue.global().async(group: done) { #expect(throws: Never.self) { try keys.next() } }
        #expect(done.wait(timeout: .now() + 30) == .success)
        #if os(Linux)
            // The greater the number, the lower the priority; elsewhere the two are no numbers of a thread.
            let found = priorities.withLock { $0 }
            #expect(found.count == 2 && found[1] < found[0])
        #endif
        workshop.words.signal()
        keys.rest(seconds: 30)
    }

    @Test func `a failure is told to who waits, and nothing more is made by itself`() throws {
        struct Broken: Error {}
        let keys = RSAKeys { throw Broken() }
        #expect(throws: Broken.self) { try keys.next() }
        keys.rest(seconds: 30)
        #expect(keys.ready() == nil)
        keys.rest(seconds: 30)
    }
}
