package import Crypto
import Dispatch
import Synchronization

/// Keys of RSA with 2,048 bits, made before somebody asks for them: to make one takes 0.2 to 0.7 s.
///
/// A program that needs none makes none: only when the first was asked for are a few kept. They come of OpenSSL's own chance, which no seed
/// repeats.
package final class RSAKeys: Sendable {
    /// Those of the program: a key says nothing of the world that takes it.
    package static let shared = RSAKeys()

    /// So many wait for a key already.
    package struct TooMany: Error {
        package let waiting: Int
    }

    /// Somebody who waits for a key.
    private final class Waiter: Sendable {
        private let key = Mutex<Result<PrivateKey, any Error>?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func take(_ key: Result<PrivateKey, any Error>) {
            self.key.withLock { $0 = key }
            isThere.signal()
        }

        /// Nil never: it is woken with a key alone.
        func wait() -> Result<PrivateKey, any Error>? {
            isThere.wait()
            return key.withLock { $0 }
        }
    }

    /// Whom keys are made for: each has one thread, which makes one after the other.
    private enum Shift: CaseIterable {
        /// Those who wait.
        case line
        /// Nobody yet. It leaves the processor to everybody else: on a busy machine a key takes ten times as long.
        case stock

        var priority: DispatchQoS { self == .line ? .default : .background }
    }

    private struct State {
        var stock: [PrivateKey] = []
        /// First come, first served.
        var line: [Waiter] = []
        /// Those who make keys now.
        var atWork: Set<Shift> = []
        /// Whether keys are made that nobody waits for.
        var stocksUp = false

        /// A key that is kept, unless somebody waits for it.
        mutating func ready() -> PrivateKey? {
            stocksUp = true
            return line.isEmpty ? stock.popLast() : nil
        }
    }

    private let state = Mutex(State())
    private let most: Int
    private let longestLine: Int
    private let make: Maker
    /// The threads that make keys, as long as there are some to be made.
    private let makers = DispatchGroup()

    /// In a struct, since a closure in a generic box is wrapped at each call.
    private struct Maker: Sendable { let key: @Sendable () throws -> PrivateKey }

    /// - Parameters:
    ///   - most: keys that are kept.
    ///   - longestLine: those that may wait at once.
    package init(
        most: Int = 4, longestLine: Int = 256,
        make: @escaping @Sendable () throws -> PrivateKey = { try .generate(.rsa(bits: 2048)) }
    ) {
        (self.most, self.longestLine, self.make) = (most, longestLine, Maker(key: make))
    }

    /// A key: one that is kept, or else one that the calling thread makes.
    package func key() throws -> PrivateKey { try ready() ?? make.key() }

    /// A key that is kept; nil when there is none.
    package func ready() -> PrivateKey? {
        defer { begin() }
        return state.withLock { $0.ready() }
    }

    /// The next key that is made for nobody before.
    ///
    /// - Throws: ``TooMany``.
    package func next() throws -> PrivateKey {
        let waiter = Waiter()
        let kept = try state.withLock { state throws -> PrivateKey? in
            if let key = state.ready() { return key }
            guard state.line.count < longestLine else { throw TooMany(waiting: state.line.count) }
            state.line.append(waiter)
            return nil
        }
        begin()
        return try kept ?? waiter.wait()?.get() ?? make.key()
    }

    /// Those who wait for one.
    package var waiting: Int { state.withLock { $0.line.count } }

    /// Makes no more keys than are waited for, until the next is asked for, and lets those under way end within so many seconds.
    package func rest(seconds: Double) {
        state.withLock { $0.stocksUp = false }
        _ = makers.wait(timeout: .now() + seconds)
    }

    /// Waits until no key is made any more.
    func untilIdle() { makers.wait() }

    private func begin() {
        for shift in Shift.allCases { begin(shift) }
    }

    private func begin(_ shift: Shift) {
        let begins = state.withLock { state in
            guard isDue(shift, state), state.atWork.insert(shift).inserted else { return false }
            // Entered under the lock, so that whoever waits for the end waits for this one.
            makers.enter()
            return true
        }
        guard begins else { return }
        DispatchQueue(label: "understudy.keys", qos: shift.priority).async { [self] in
            while makeOne(shift) {}
            // When nobody waits any more, it is time for those that are kept.
            begin()
            makers.leave()
        }
    }

    private func isDue(_ shift: Shift, _ state: borrowing State) -> Bool {
        switch shift {
        case .line: !state.line.isEmpty
        case .stock: state.line.isEmpty && state.stocksUp && state.stock.count < most
        }
    }

    /// - Returns: whether there is another one to be made.
    private func makeOne(_ shift: Shift) -> Bool {
        let key = Result { try make.key() }
        let (waiter, goesOn) = state.withLock { state -> (Waiter?, Bool) in
            let waiter = state.line.isEmpty ? nil : state.line.removeFirst()
            switch key {
            case .success(let key) where waiter == nil && state.stock.count < most: state.stock.append(key)
            // Whoever asks next hears why; nobody is waited for.
            case .failure where waiter == nil: state.stocksUp = false
            default: break
            }
            let goesOn = isDue(shift, state)
            if !goesOn { state.atWork.remove(shift) }
            return (waiter, goesOn)
        }
        waiter?.take(key)
        return goesOn
    }
}
