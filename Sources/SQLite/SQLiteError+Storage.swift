extension SQLiteError {
    /// What is wrong with the place where a database is kept, and not with what was asked of it.
    package enum StorageFault: Sendable, Equatable {
        case full, readOnly, unreachable, foreign, damaged, broken

        /// What is the matter, and what helps; without a capital and a full stop.
        package var remedy: String {
            switch self {
            case .full: "the disk is full; make room, and it goes on"
            case .readOnly:
                "it may only be read; allow writing to it and its folder, or give --data another folder"
            case .unreachable:
                "it cannot be opened; look whether its folder may be written to, or give --data another folder"
            case .foreign: "it is no SQLite database; move it away, or give --data another folder"
            case .damaged: "it is damaged; put back a copy, or move it away and begin anew"
            case .broken: "reading or writing it fails; look at the disk, or give --data another folder"
            }
        }
    }

    /// Nil for an error of another kind. Source: SQLite «Result and Error Codes», whose low byte is the primary code.
    package var storageFault: StorageFault? {
        switch code & 0xFF {
        case 13: .full
        case 8: .readOnly
        case 14: .unreachable
        case 26: .foreign
        case 11: .damaged
        case 10: .broken
        default: nil
        }
    }
}
