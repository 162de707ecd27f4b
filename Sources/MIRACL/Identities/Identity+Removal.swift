import SQLite

extension Identity {
    /// Takes it away with everything that is about it.
    static func remove(_ mpinID: String, in db: Connection) throws {
        try db.delete(PendingPass.self, where: "mpin_id = \(mpinID)")
        try db.delete(ProofVerdict.self, where: "mpin_id = \(mpinID)")
        try db.delete(ShareTicket.self, where: "mpin_id = \(mpinID)")
        try db.delete(OneTimeCode.self, where: "mpin_id = \(mpinID)")
        try db.delete(Identity.self, where: "mpin_id = \(mpinID)")
    }
}
