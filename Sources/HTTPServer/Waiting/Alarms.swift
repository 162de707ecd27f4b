import Sockets
import Synchronization

/// When whose question is to be asked again without a ring: a binary heap, the earliest first.
final class Alarms: Sendable {
    private let heap = Mutex<[OpenWait]>([])
    /// Called when an alarm becomes the first.
    private let housekeeper: Wakeup

    init(housekeeper: Wakeup) { self.housekeeper = housekeeper }

    /// Requests that wait.
    var count: Int { heap.withLock(\.count) }

    /// When the first is due, in ``System/uptime``.
    var next: Double { heap.withLock { $0.first?.alarmAt ?? .infinity } }

    /// Sets the only alarm of `wait`, in the place of an earlier one.
    func set(_ wait: OpenWait, at time: Double) {
        let isFirst = heap.withLock { heap in
            let place = wait.place ?? heap.count
            if wait.place == nil { heap.append(wait) }
            wait.place = place
            wait.alarmAt = time
            heap.settle(place)
            return wait.place == 0
        }
        if isFirst { housekeeper.call() }
    }

    func cancel(_ wait: OpenWait) { heap.withLock { $0.take(wait) } }

    /// Those whose time has come; their alarms are gone.
    func takeDue(_ now: Double) -> [OpenWait] {
        heap.withLock { heap in
            var due: [OpenWait] = []
            while let first = heap.first, first.alarmAt <= now {
                heap.take(first)
                due.append(first)
            }
            return due
        }
    }
}

extension [OpenWait] {
    fileprivate mutating func take(_ wait: OpenWait) {
        guard let place = wait.place else { return }
        exchange(place, count - 1)
        removeLast()
        wait.place = nil
        if place < count { settle(place) }
    }

    /// Moves what stands at `place` to where it belongs.
    fileprivate mutating func settle(_ place: Int) {
        var place = place
        while place > 0, self[place].alarmAt < self[(place - 1) / 2].alarmAt {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        while let child = earlierChild(of: place), self[child].alarmAt < self[place].alarmAt {
            exchange(place, child)
            place = child
        }
    }

    private func earlierChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard left < count else { return nil }
        return right < count && self[right].alarmAt < self[left].alarmAt ? right : left
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        swapAt(one, other)
        self[one].place = one
        self[other].place = other
    }
}
