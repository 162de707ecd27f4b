import HTTP
import SQLite

/// A request that failed because of the place where its world is kept: no bug, and it goes on when that is mended.
struct StorageProblem {
    let status: Status
    /// A sentence for the developer, with the remedy.
    let detail: String

    /// Nil for an error of another kind.
    init?(_ error: any Error, world: String) {
        switch error {
        case let error as SQLiteError:
            guard let fault = error.storageFault else { return nil }
            status = [.full, .memory].contains(fault) ? .insufficientStorage : .serviceUnavailable
            let place =
                fault == .memory
                ? "world “\(world)” cannot be changed" : "data file of the world “\(world)” cannot be used"
            detail =
                "The \(place): \(fault.remedy). Nothing was changed by this request (\(error.message), SQLite \(error.code))."
        case let error as WorldError:
            switch error {
            case .storage(_, .full, _): status = .insufficientStorage
            case .storage, .unreadable: status = .serviceUnavailable
            default: return nil
            }
            detail = error.explanation
        default: return nil
        }
    }
}
