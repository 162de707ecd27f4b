package import SQLite

/// Why a world cannot be had, made or removed.
package enum WorldError: Refusal, Equatable {
    case nameMalformed(String)
    case nameTaken(String)
    /// Those that exist are told to who may know them; nil for others.
    case unknown(String, existing: [String]?)
    case indispensable(String)
    case tooMany(limit: Int)
    case snapshotNameMalformed(String)
    case snapshotNameTaken(String)
    case snapshotUnknown(String, world: String, existing: [String])
    case tooManySnapshots(limit: Int)
    /// Why a file is no snapshot, for the end of a sentence.
    case snapshotUnreadable(String)
    /// The data file was written by a newer version, or is none of ours.
    case unreadable(String, reason: String)
    /// The place where the data file is kept does not do; with SQLite's own words.
    case storage(String, SQLiteError.StorageFault, String)

    /// Of many worlds, whose names are then random, no more than the first are looked at.
    private static let mostNames = 100

    private static func meant(_ name: String, _ existing: [String]) -> String {
        guard name.utf8.count <= 64 else { return "" }
        let names = Array(existing.prefix(mostNames))
        return Suggestion.nearest(to: name, among: names).map { " Did you mean “\($0)”?" } ?? ""
    }

    package var explanation: String {
        switch self {
        case .nameMalformed(let name):
            "The name “\(name.prefix(60))” cannot be a world's: it takes 1 to 40 of the characters a-z, 0-9 and -."
        case .nameTaken(let name):
            "There is a world “\(name)” already; reset it, delete it, or choose another name."
        case .unknown(let name, nil):
            "There is no world “\(name.prefix(60))”. Which ones there are is told to those who send the control token."
        case .unknown(let name, let existing?):
            "There is no world “\(name.prefix(60))”, only "
                + existing.prefix(20).joined(separator: ", ")
                + (existing.count > 20 ? " and \(existing.count - 20) more." : ".")
                + Self.meant(name, existing)
        case .indispensable(let name): "The world “\(name)” cannot be deleted; reset it instead."
        case .tooMany(let limit):
            "There are \(limit) worlds already, the most that one program keeps; delete some."
        case .snapshotNameMalformed(let name):
            "The name “\(name.prefix(60))” cannot be a snapshot's: it takes 1 to 40 of the characters a-z, 0-9 and -."
        case .snapshotNameTaken(let name):
            "There is a snapshot “\(name)” of this world already; delete it, or choose another name."
        case .snapshotUnknown(let name, let world, let existing):
            "The world “\(world)” has no snapshot “\(name.prefix(60))”; "
                + (existing.isEmpty ? "it has none." : "it has \(existing.joined(separator: ", ")).")
        case .tooManySnapshots(let limit):
            "The world has \(limit) snapshots already, the most that one world keeps; delete some."
        case .snapshotUnreadable(let reason): "The snapshot cannot be used: \(reason)."
        case .unreadable(let name, let reason):
            "The data file of the world “\(name)” cannot be used: \(reason)."
        case .storage(let name, let fault, let words):
            "The data file of the world “\(name)” cannot be used: \(fault.remedy) (\(words))."
        }
    }
}
