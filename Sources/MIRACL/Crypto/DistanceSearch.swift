/// Finds out how many steps a point is away from infinity, in either direction. Source: Shanks, baby steps and giant steps.
struct DistanceSearch {
    /// The giant steps are as wide as the baby steps reach in both directions.
    private let reach: Int
    private let limit: Int
    private let giantStep: G1Point
    /// From the x coordinate of so many steps to the y coordinate and the count.
    private let babySteps: [[UInt8]: (y: [UInt8], count: Int)]

    init(step: G1Point, limit: Int) {
        var (reach, steps, point) = (0, [[UInt8]: (y: [UInt8], count: Int)](), step)
        repeat {
            reach += 1
            let (x, y) = Self.coordinates(point)
            steps[x] = (y, reach)
            point = point + step
        } while reach * reach < limit
        (self.reach, self.limit, babySteps) = (reach, limit, steps)
        giantStep = Scalar(2 * reach + 1) * step
    }

    /// The number, below the limit in magnitude, whose multiple of the step leads from the point to infinity.
    func steps(from point: G1Point) -> Int? {
        var (up, down) = (point, point)
        for giant in 0...limit / (2 * reach + 1) + 1 {
            for (place, sign) in [(up, 1), (down, -1)] {
                guard let rest = rest(of: place) else { continue }
                let found = sign * giant * (2 * reach + 1) + rest
                if abs(found) < limit { return found }
            }
            (up, down) = (up + giantStep, down - giantStep)
        }
        return nil
    }

    private func rest(of point: G1Point) -> Int? {
        if point.isInfinity { return 0 }
        let (x, y) = Self.coordinates(point)
        return babySteps[x].map { $0.y == y ? -$0.count : $0.count }
    }

    private static func coordinates(_ point: G1Point) -> (x: [UInt8], y: [UInt8]) {
        let bytes = point.bytes
        return (Array(bytes.dropFirst().prefix(32)), Array(bytes.suffix(32)))
    }
}
