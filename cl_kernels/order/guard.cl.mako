## The first lines of a kernel that runs only if no bucket is too large, or only if one is; the last word of `buckets` says
## which.
% if guard == "buckets":
    if (buckets[${bucket_count + 1}]) return;
% elif guard == "no buckets":
    if (!buckets[${bucket_count + 1}]) return;
% endif
