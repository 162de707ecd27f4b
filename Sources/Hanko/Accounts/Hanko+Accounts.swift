import PlatformKit
import SQLite

extension Hanko {
    func account(_ id: String) throws -> Account? { try database.read { try $0.account(id) } }
}
