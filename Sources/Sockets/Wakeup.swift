#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// Lets one thread sleep until another calls, or a time has passed. A call to a thread that is awake is kept.
///
/// Unchecked: `called` is only touched with the mutex held; the pointers are fixed and freed in `deinit`.
package final class Wakeup: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var called = false

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func call() {
        pthread_mutex_lock(mutex)
        called = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Returns when called, at once when that has happened already, and after `seconds` otherwise.
    package func wait(seconds: Double) {
        pthread_mutex_lock(mutex)
        let deadline = System.uptime + seconds
        while !called, sleep(until: deadline) {}
        called = false
        pthread_mutex_unlock(mutex)
    }

    /// False when `deadline` has passed.
    private func sleep(until deadline: Double) -> Bool {
        #if canImport(Darwin)
            var time = Self.time(of: max(0, deadline - System.uptime))
            return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
        #else
            var time = Self.time(of: deadline)
            return pthread_cond_timedwait(condition, mutex, &time) == 0
        #endif
    }

    private static func time(of seconds: Double) -> timespec {
        let whole = seconds.rounded(.down)
        var time = timespec()
        time.tv_sec = Int(whole)
        time.tv_nsec = Int((seconds - whole) * 1e9)
        return time
    }
}
