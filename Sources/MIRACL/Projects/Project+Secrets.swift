import Crypto
import Essentials

extension Project {
    /// The secrets of both trust authorities.
    func masterSecret() throws(MPinError) -> MasterSecret {
        try MasterSecret(first: try share(firstShare, 1), second: try share(secondShare, 2))
    }

    /// The secrets that an identity's own were made of: those of now, or previous ones; nil when they are neither.
    func masterSecret(of identity: Identity) throws(MPinError) -> MasterSecret? {
        let current = try masterSecret()
        if Self.dtas(of: current) == identity.dtas { return current }
        for shares in previousShares ?? [] {
            let previous = try shares.master()
            if Self.dtas(of: previous) == identity.dtas { return previous }
        }
        return nil
    }

    private func share(_ hex: String?, _ number: Int) throws(MPinError) -> Scalar {
        if let hex { return try Scalar(hex: hex) }
        return Scalar(reducing: Digest.sha256(Array("understudy miracl share \(number) \(id)".utf8)))
    }

    /// What clients bring along as `dtas`: the names of the two master shares, so that an identity of other shares is recognised.
    ///
    /// Base64 of a JSON array of two texts of 64 hexadecimal digits. Source: observed, client-js 6; what the digits say is ours.
    func dtas() throws(MPinError) -> String { Self.dtas(of: try masterSecret()) }

    /// Of the shares that were in use before, the newest last.
    func previousDtas() throws(MPinError) -> [String] {
        var all: [String] = []
        for shares in previousShares ?? [] { all.append(Self.dtas(of: try shares.master())) }
        return all
    }

    private static func dtas(of master: MasterSecret) -> String {
        let names = [master.first, master.second].map { share in
            Hex.encode(Digest.sha256(Array("understudy miracl dta".utf8) + share.bytes))
        }
        return Base64.encode(Array(JSONValue(names).text.utf8))
    }
}

extension Project.Shares {
    fileprivate func master() throws(MPinError) -> MasterSecret {
        try MasterSecret(first: Scalar(hex: first), second: Scalar(hex: second))
    }
}
