import HTTP
import SQLite

/// A request that failed for want of room, on the disk or in memory: no bug, and it goes on when that is mended.
struct StorageProblem {
    let status: Status
    /// A sentence for the developer, with the remedy.
    let detail: String
    /// When to come again, in seconds.
    private(set) var retryAfter: Int?

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
        case let error as WorkMemory.Shortage:
            if case .now = error {
                (status, retryAfter) = (.serviceUnavailable, 1)
            } else {
                status = .insufficientStorage
            }
            detail = error.explanation
        default: return nil
        }
    }

    var response: Response {
        var response = Response.problem(status: status, detail: detail)
        // RFC 9110 §10.2.3.
        if let retryAfter { response.headers["Retry-After"] = "\(retryAfter)" }
        return response
    }
}
