import Platforms
import Testing

@testable import PlatformKit
@testable import Understudy

@Suite struct ExpiringTests {
    @Test(arguments: Platforms.sections.indices)
    func `what a platform says of expiry can be asked for in a world`(_ index: Int) throws {
        let house = try House()
        let world = try #require(try house.worlds.world(Worlds.defaultName))
        let expiring = (Platforms.sections[index] as? any TellsExpiries.Type)?.expiring ?? []
        for kind in expiring + [.messages] {
            let ends = try world.nextExpiries([kind], limit: 3)
            #expect(ends.allSatisfy { $0.at > world.clock.now })
            #expect(ends == ends.sorted { $0.at < $1.at })
        }
    }
}
