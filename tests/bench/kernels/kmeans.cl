// SPDX-License-Identifier: MIT
kernel void kmeans(global const float *features, global const float *clusters, global int *membership, int points,
		   int num_clusters, int num_features)
{
	int point = get_global_id(0);

	if (point < points) {
		float least = FLT_MAX;
		int nearest = 0;

		for (int i = 0; i < num_clusters; i++) {
			float distance = 0.0f;

			for (int l = 0; l < num_features; l++) {
				float d = features[l * points + point] - clusters[i * num_features + l];

				distance += d * d;
			}
			if (distance < least) {
				least = distance;
				nearest = i;
			}
		}
		membership[point] = nearest;
	}
}
