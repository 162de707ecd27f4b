import Synchronization

extension Mutex {
    /// As `withLock`, for a `body` of a few hundred nanoseconds that busy threads run all the time.
    ///
    /// The lock is tried some times before the thread queues for it. A queue that has formed once is slow to dissolve: the
    /// system hands the lock to a thread that is not running yet, and meanwhile the next one queues behind it.
    func withBriefLock<Result>(
        _ body: (inout sending Value) throws -> sending Result
    ) rethrows -> sending Result {
        for _ in 0..<100 {
            if let result = try withLockIfAvailable(body) { return result }
        }
        return try withLock(body)
    }
}
