import Essentials
import HTTP
package import PlatformKit
import Synchronization

/// The comparison of a program: one at a time, on a thread of its own.
///
/// It plays in two worlds that are made for it. Those of the last one stay, to be looked at, until the next begins or it is discarded; those of one
/// that failed are deleted at once.
package final class ComparisonCenter: Sendable {
    /// Plays a recording.
    package typealias Play = @Sendable (ComparisonJob) throws -> ComparisonOutcome

    enum State: Sendable {
        case none
        case running(ComparisonJob)
        /// With the name of the recording.
        case failed(String, sentence: String)
        case done(String, ComparisonOutcome)
    }

    private struct Room: Sendable {
        var state = State.none
        var play: Play?
        var delete: (@Sendable (String) throws -> Void)?
        var work = WorkMemory.unlimited
    }

    private let room = Mutex(Room())
    private let queue = OutgoingQueue(attemptLimit: 1)
    /// Rings when one ends.
    let bell = Bell()

    package init() {}

    /// From now on recordings can be compared.
    ///
    /// - Parameter delete: a world by its name.
    package func begin(
        _ play: @escaping Play, delete: @escaping @Sendable (String) throws -> Void, work: WorkMemory
    ) {
        room.withLock { ($0.play, $0.delete, $0.work) = (play, delete, work) }
    }

    /// Has the one under way end, and waits so long for it.
    package func stop(seconds: Double) {
        if case .running(let job) = state { job.stop() }
        room.withLock { $0.play = nil }
        bell.close()
        queue.stop(seconds: seconds)
    }

    var state: State { room.withLock { $0.state } }

    /// Begins one in the place of the last.
    ///
    /// - Throws: ``ControlError``.
    func start(_ order: ComparisonOrder) throws {
        guard order.recording.count <= ComparisonOrder.recordingLimit else {
            throw ControlError.unprocessable(
                "The recording has more than \(ComparisonOrder.recordingLimit >> 20) MiB; understudy compare takes larger ones."
            )
        }
        let job = ComparisonJob(order)
        let (play, work, old) = try room.withLock { room in
            guard let play = room.play else {
                throw ControlError.refused("This program listens on no port, so it cannot play a recording.")
            }
            if case .running = room.state {
                throw ControlError.refused(
                    "A comparison is running already; wait for it, or stop it first.")
            }
            defer { room.state = .running(job) }
            return (play, room.work, room.state)
        }
        discardWorlds(of: old)
        queue.add(
            OutgoingJob(lane: "comparison") { [self] in
                let size = order.recording.count * ComparisonOrder.memoryFactor
                finish(job, Result { try work.holding(size) { try play(job) } })
            } report: { _, _, _ in
            })
    }

    private func finish(_ job: ComparisonJob, _ result: Result<ComparisonOutcome, any Error>) {
        switch result {
        case .success(let outcome): room.withLock { $0.state = .done(job.order.name, outcome) }
        case .failure(let error):
            delete(job.worlds)
            room.withLock { $0.state = .failed(job.order.name, sentence: Self.sentence(error)) }
        }
        bell.ring()
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let failure as ComparisonFailure: failure.sentence
        case let error as WorldError: error.explanation
        case let shortage as WorkMemory.Shortage: shortage.explanation
        default: "\(error)"
        }
    }

    /// Stops the one under way, or forgets the last with its worlds.
    func discard() {
        let old = room.withLock { room in
            guard case .running(let job) = room.state else {
                defer { room.state = .none }
                return room.state
            }
            job.stop()
            return State.none
        }
        discardWorlds(of: old)
        bell.ring()
    }

    private func discardWorlds(of state: State) {
        if case .done(_, let outcome) = state { delete(outcome.worlds) }
    }

    /// Somebody may have deleted them before.
    private func delete(_ worlds: [String]) {
        let delete = room.withLock { $0.delete }
        for world in worlds { try? delete?(world) }
    }
}
