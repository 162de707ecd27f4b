package import Crypto
import Dispatch
import Synchronization

/// Keys of RSA with 2,048 bits, made before somebody asks for them: to make one takes 0.2 to 0.7 s.
///
/// A program that needs none makes none: only when the first was asked for are a few kept, made one after the other on one thread. They come of
/// OpenSSL's own chance, which no seed repeats.
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

    private struct State {
        var stock: [PrivateKey] = []
        /// First come, first served.
        var line: [Waiter] = []
        var isMaking = false
        /// Whether keys are made that nobody waits for.
        var stocksUp = false
    }

    private let state = Mutex(State())
    private let most: Int
    private let longestLine: Int
    private let make: Maker
    /// The thread that makes keys, as long as there are some to be made.
    private let maker = DispatchGroup()

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
        let key = state.withLock { state in
            state.stocksUp = true
            return state.line.isEmpty ? state.stock.popLast() : nil
        }
        begin()
        return key
    }

    /// The next key that is made for nobody before.
    ///
    /// - Throws: ``TooMany``.
    package func next() throws -> PrivateKey {
        if let key = ready() { return key }
        let waiter = Waiter()
        try state.withLock { state in
            guard state.line.count < longestLine else { throw TooMany(waiting: state.line.count) }
            state.line.append(waiter)
        }
        begin()
        return try waiter.wait()?.get() ?? make.key()
    }

    /// Those who wait for one.
    package var waiting: Int { state.withLock { $0.line.count } }

    /// Makes no more keys than are waited for, until the next is asked for, and lets the one under way end within so many seconds.
    package func rest(seconds: Double) {
        state.withLock { $0.stocksUp = false }
        _ = maker.wait(timeout: .now() + seconds)
    }

    /// Waits until no key is made any more.
    func untilIdle() { maker.wait() }

    private func begin() {
        let begins = state.withLock { state in
            guard !state.isMaking, isDue(state) else { return false }
            state.isMaking = true
            // Entered under the lock, so that whoever waits for the end waits for this one.
            maker.enter()
            return true
        }
        guard begins else { return }
        DispatchQueue(label: "understudy.keys", qos: .background).async { [self] in
            while makeOne() {}
            maker.leave()
        }
    }

    private func isDue(_ state: borrowing State) -> Bool {
        !state.line.isEmpty || state.stocksUp && state.stock.count < most
    }

    /// - Returns: whether there is another one to be made.
    private func makeOne() -> Bool {
        let key = Result { try make.key() }
        let (waiter, goesOn) = state.withLock { state -> (Waiter?, Bool) in
            let waiter = state.line.isEmpty ? nil : state.line.removeFirst()
            switch key {
            case .success(let key) where waiter == nil: state.stock.append(key)
            // Whoever asks next hears why; nobody is waited for.
            case .failure where waiter == nil: state.stocksUp = false
            default: break
            }
            state.isMaking = isDue(state)
            return (waiter, state.isMaking)
        }
        waiter?.take(key)
        return goesOn
    }
}
